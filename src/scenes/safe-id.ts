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

/** Gives every text of a list an id of its own, in order; a doubled one gets `-2`, `-3`, ... */
export class UniqueIds {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /** @returns the id, and whether it had to be numbered because another item has the same one */
  add(text: string, fallback: string): { readonly id: string; readonly renamed: boolean } {
    const base = safeId(text, fallback);
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
