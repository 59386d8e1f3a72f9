/** Turns any text into an id that can name a folder and a table cell; equal texts give equal ids. */
export function safeId(text: string, fallback: string): string {
  const cleaned = text
    .normalize('NFC')
    .replace(/[/\\\s\p{Cc}\p{Cf}\p{Cs}:*?"<>|%]+/gu, '-')
    .replace(/^[=+\-@.]+/, '')
    .replace(/-+$/, '');
  const cut = [...cleaned]
    .slice(0, 100)
    .join('')
    .replace(/[-.]+$/, '');
  return cut === '' ? fallback : cut;
}

/**
 * Turns any text into an object id: only what the scene schema forbids is changed (slashes, control characters, a first
 * character that spreadsheets take for a formula).
 */
export function objectId(text: string, fallback: string): string {
  const cleaned = text
    .replace(/[/\\\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu, '-')
    .replace(/^[=+\-@\s]+|^\.+/, '')
    .trimEnd();
  const cut = [...cleaned].slice(0, 110).join('').trimEnd();
  return cut === '' ? fallback : cut;
}

/** Gives every text of a list an id of its own, in order; a doubled one gets `-2`, `-3`, ... */
export class UniqueIds {
  readonly #clean: (text: string, fallback: string) => string;
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /** @param clean how a text becomes an id; file names by default */
  constructor(clean: (text: string, fallback: string) => string = safeId) {
    this.#clean = clean;
  }

  /** @returns the id, and whether it had to be numbered because another item has the same one */
  add(text: string, fallback: string): { readonly id: string; readonly renamed: boolean } {
    const base = this.#clean(text, fallback);
    if (!this.#taken.has(base)) {
      this.#taken.add(base);
      return { id: base, renamed: false };
    }
    let number = this.#next.get(base) ?? 2;
    while (this.#taken.has(`${base}-${number}`)) number += 1;
    this.#next.set(base, number + 1);
    const id = `${base}-${number}`;
    this.#taken.add(id);
    return { id, renamed: true };
  }
}
