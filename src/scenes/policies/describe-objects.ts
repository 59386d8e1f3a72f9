const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/**
 * A prompt that names a room and its objects, counted and in the order in which they first come: the list LayoutGPT and
 * its like are given has no text of its own.
 *
 * @example
 * describeObjects('bedroom', ['double bed', 'nightstand', 'nightstand']); // 'A bedroom with a double bed and two nightstands.'
 */
export function describeObjects(roomType: string, labels: readonly string[]): string {
  const room = roomType.replaceAll('_', ' ').trim().toLowerCase();
  const named = `${capital(withArticle(room === '' ? 'room' : room))}`;
  return labels.length === 0 ? `An empty ${room === '' ? 'room' : room}.` : `${named} with ${listOf(labels)}.`;
}

/** Two rewrites of `describeObjects` that say the same in another order of words, as [level, text]. */
export function rewriteObjects(roomType: string, labels: readonly string[]): [string, string][] {
  if (labels.length === 0) return [];
  const room = roomType.replaceAll('_', ' ').trim().toLowerCase() || 'room';
  const verb = new Set(labels).size === 1 && labels.length === 1 ? 'is' : 'are';
  return [
    ['in-room', `There ${verb} ${listOf(labels)} in this ${room}.`],
    ['furnished', `The ${room} is furnished with ${listOf([...labels].reverse())}.`],
  ];
}

function listOf(labels: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const label of labels) {
    const name = label.replaceAll('_', ' ').trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const items = [...counts].map(([name, count]) =>
    count === 1 ? withArticle(name) : `${numberWord(count)} ${plural(name)}`,
  );
  if (items.length === 1) return items[0] as string;
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

function numberWord(count: number): string {
  return NUMBERS[count] ?? String(count);
}

function withArticle(noun: string): string {
  // letters that are spelt out with a vowel first: an L-shaped sofa, an MDF board
  const spelt = /^[AEFHILMNORSX](?:-|[A-Z])/.test(noun);
  const vowel = /^[aeiou]/i.test(noun) && !/^(?:uni|use|one\b|eu)/i.test(noun);
  const article = spelt || (vowel && !/^U-/.test(noun)) || /^l[- ]shaped/i.test(noun) ? 'an' : 'a';
  return `${article} ${noun}`;
}

/** Plural of the last word before `of` or `with` (bowls of fruit), regular and the irregular nouns of furniture. */
export function plural(noun: string): string {
  const [, head, rest] = /^(.*?)( (?:of|with|for|on|in) .*)?$/.exec(noun) as unknown as [
    string,
    string,
    string | undefined,
  ];
  return `${pluralOfHead(head)}${rest ?? ''}`;
}

function pluralOfHead(head: string): string {
  if (/(?:shel|lea|kni|loa)f$/.test(head)) return head.replace(/f$/, 'ves');
  if (/(?:series|books|drawers|clothes|stairs|glasses|curtains|blinds)$/.test(head)) return head;
  if (/[^aeiou]y$/.test(head)) return head.replace(/y$/, 'ies');
  if (/(?:s|x|z|ch|sh)$/.test(head)) return `${head}es`;
  return `${head}s`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
