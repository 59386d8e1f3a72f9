import { categoryEntry, categoryOfLabel, labelWords } from './kit/categories.ts';

type Size = readonly [number, number, number];

/** Width, height, depth in metres of small household things that the kit does not build (our own rough measures). */
const SMALL: ReadonlyMap<string, Size> = new Map(
  Object.entries<Size>({
    'alarm clock': [0.12, 0.12, 0.06],
    apple: [0.08, 0.08, 0.08],
    'baseball bat': [0.07, 0.85, 0.07],
    basketball: [0.24, 0.24, 0.24],
    blanket: [0.5, 0.08, 0.4],
    book: [0.16, 0.03, 0.23],
    bottle: [0.08, 0.28, 0.08],
    box: [0.4, 0.3, 0.3],
    bread: [0.25, 0.12, 0.12],
    candle: [0.07, 0.12, 0.07],
    cart: [0.5, 0.8, 0.4],
    cd: [0.12, 0.01, 0.12],
    cellphone: [0.08, 0.01, 0.15],
    cloth: [0.3, 0.03, 0.3],
    coaster: [0.1, 0.01, 0.1],
    'coffee machine': [0.25, 0.35, 0.35],
    'credit card': [0.085, 0.003, 0.054],
    cup: [0.08, 0.1, 0.08],
    'desk organizer': [0.25, 0.12, 0.15],
    dish: [0.25, 0.03, 0.25],
    document: [0.21, 0.01, 0.3],
    'dog bed': [0.8, 0.2, 0.6],
    egg: [0.05, 0.06, 0.05],
    eraser: [0.05, 0.02, 0.03],
    faucet: [0.2, 0.25, 0.2],
    fork: [0.03, 0.02, 0.2],
    'garbage bag': [0.45, 0.5, 0.45],
    keychain: [0.06, 0.01, 0.08],
    knife: [0.03, 0.02, 0.22],
    ladle: [0.09, 0.07, 0.3],
    lettuce: [0.16, 0.14, 0.16],
    magazine: [0.21, 0.01, 0.28],
    marker: [0.02, 0.02, 0.14],
    mug: [0.12, 0.1, 0.09],
    newspaper: [0.3, 0.02, 0.38],
    notebook: [0.2, 0.02, 0.27],
    pan: [0.3, 0.08, 0.45],
    paper: [0.21, 0.01, 0.3],
    'paper towel': [0.12, 0.27, 0.12],
    pen: [0.01, 0.01, 0.14],
    pencil: [0.01, 0.01, 0.18],
    phone: [0.08, 0.01, 0.15],
    'photo frame': [0.18, 0.22, 0.06],
    plate: [0.25, 0.02, 0.25],
    plunger: [0.15, 0.55, 0.15],
    pot: [0.25, 0.15, 0.25],
    potato: [0.1, 0.07, 0.07],
    projector: [0.35, 0.12, 0.3],
    remote: [0.05, 0.02, 0.18],
    safe: [0.35, 0.35, 0.35],
    shaker: [0.05, 0.1, 0.05],
    'soap bar': [0.09, 0.03, 0.06],
    'soap bottle': [0.08, 0.2, 0.06],
    spatula: [0.08, 0.03, 0.32],
    sponge: [0.1, 0.03, 0.07],
    spoon: [0.04, 0.02, 0.2],
    'spray bottle': [0.1, 0.26, 0.07],
    'teddy bear': [0.3, 0.4, 0.25],
    'tennis racquet': [0.28, 0.05, 0.68],
    'tissue box': [0.23, 0.1, 0.12],
    toaster: [0.3, 0.2, 0.2],
    'toilet paper': [0.11, 0.1, 0.11],
    tomato: [0.07, 0.06, 0.07],
    towel: [0.4, 0.06, 0.3],
    tray: [0.4, 0.05, 0.3],
    watch: [0.08, 0.04, 0.08],
  }),
);

/** Usual size of a small household thing by the ending of its label (`red coffee cup` is a cup), or null. */
export function usualSmallSize(label: string): Size | null {
  const words = labelWords(label);
  for (let from = 0; from < words.length; from += 1) {
    const ending = words.slice(from).join(' ');
    const found = SMALL.get(ending) ?? SMALL.get(ending.replace(/s$/, '')) ?? SMALL.get(ending.replace(/es$/, ''));
    if (found !== undefined) return found;
  }
  return null;
}

/** Usual width, height, depth of things with this label, small or built by the kit, in metres; null when nobody knows. */
export function usualSize(label: string): Size | null {
  const small = usualSmallSize(label);
  if (small !== null) return small;
  const category = categoryOfLabel(label);
  return category === null ? null : categoryEntry(category).defaultSize;
}
