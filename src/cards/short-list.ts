/** The first items of a list and how many more there are. */
export function shortList(items: readonly string[], limit: number): string {
  if (items.length <= limit) return items.join(', ');
  return `${items.slice(0, limit - 1).join(', ')} and ${items.length - limit + 1} more`;
}
