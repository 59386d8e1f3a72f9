import { CATEGORY_TABLE, type CategoryRow, type Placement } from './category-table.ts';
import type { Size } from './part.ts';

/** A kind of furniture the kit can build. */
export type KitCategory = keyof typeof CATEGORY_TABLE;

/** What the kit knows about a category. Sizes are width (x), height (y), depth (z) in metres. */
export interface CategoryEntry {
  readonly category: KitCategory;
  /** The name people use. */
  readonly label: string;
  /** Other names that mean it (lower case, singular). */
  readonly synonyms: readonly string[];
  readonly family: string;
  readonly placement: Placement;
  /** Usually has its back to a wall. */
  readonly againstWall: boolean;
  readonly defaultSize: Size;
  /** Usual sizes, smallest and largest. */
  readonly sizeRange: { readonly min: Size; readonly max: Size };
}

/** Every category of the kit, in catalogue order. */
export const KIT_CATEGORIES = Object.keys(CATEGORY_TABLE) as readonly KitCategory[];

/** The catalogue entry of a category. */
export function categoryEntry(category: KitCategory): CategoryEntry {
  const row: CategoryRow = CATEGORY_TABLE[category];
  return {
    category,
    label: row.label ?? category.replaceAll('-', ' '),
    synonyms: row.synonyms,
    family: row.family,
    placement: row.placement ?? 'floor',
    againstWall: row.againstWall ?? false,
    defaultSize: row.size,
    sizeRange: { min: row.min, max: row.max },
  };
}

const BY_NAME: ReadonlyMap<string, KitCategory> = new Map(
  KIT_CATEGORIES.flatMap((category) => {
    const { label, synonyms } = categoryEntry(category);
    return [label.toLowerCase(), ...synonyms].map((name) => [name, category] as const);
  }),
);

/**
 * The words of a label as datasets write them: case, underscores, hyphens, CamelCase, ids and trailing numbers removed
 * (`DiningChair|3|1`, `dining_chair-0`, `Wall_Decor_Painting_3`).
 */
export function labelWords(label: string): string[] {
  return label
    .slice(0, 200)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/\(.*?\)/g, ' ')
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 0);
}

/**
 * The kit category a label means, or null. Tries the whole label, then ever shorter endings of it (`red wooden dining
 * chair` ends in `dining chair`) without what follows `of`, `with`, `for`, `on` or `in`, each also in the singular.
 *
 * @example
 * categoryOfLabel('Dining_Chairs_03'); // 'chair'
 */
export function categoryOfLabel(label: string): KitCategory | null {
  const all = labelWords(label);
  const cut = all.findIndex((word, at) => at > 0 && ['of', 'with', 'for', 'on', 'in'].includes(word));
  const words = cut < 0 ? all : all.slice(0, cut);
  for (const ending of [all, ...words.map((_, from) => words.slice(from))]) {
    const head = ending.slice(0, -1);
    for (const noun of singulars(ending.at(-1) ?? '')) {
      const found = BY_NAME.get([...head, noun].join(' '));
      if (found !== undefined) return found;
    }
  }
  return null;
}

function singulars(noun: string): string[] {
  const forms = [noun];
  if (noun.endsWith('ves')) forms.push(`${noun.slice(0, -3)}f`);
  if (noun.endsWith('ies')) forms.push(`${noun.slice(0, -3)}y`);
  if (noun.endsWith('es')) forms.push(noun.slice(0, -2));
  if (noun.endsWith('s')) forms.push(noun.slice(0, -1));
  return forms;
}
