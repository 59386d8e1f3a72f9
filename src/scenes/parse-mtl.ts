/** What is used of a Wavefront material. */
export interface MtlMaterial {
  /** Linear 0..1. */
  readonly diffuse: readonly [number, number, number] | null;
  readonly opacity: number;
  /** From the Phong exponent `Ns`: sqrt(2 / (Ns + 2)). */
  readonly roughness: number | null;
  /** File name of the diffuse texture, options removed. */
  readonly diffuseMap: string | null;
}

/** Reads an MTL file: `newmtl`, `Kd`, `d`, `Tr`, `Ns`, `map_Kd`; everything else and every malformed line is passed over. */
export function parseMtl(text: string): Map<string, MtlMaterial> {
  const materials = new Map<string, MtlMaterial>();
  let name: string | null = null;
  let current: { -readonly [Key in keyof MtlMaterial]: MtlMaterial[Key] } = blank();
  for (const line of text.split(/\r?\n/)) {
    const [keyword, ...rest] = line.trim().split(/\s+/);
    const numbers = rest.map(Number);
    const first = numbers[0];
    if (keyword === 'newmtl') {
      current = blank();
      name = rest.join(' ');
      materials.set(name, current);
    } else if (name === null || rest.length === 0) continue;
    else if (keyword === 'Kd' && numbers.length >= 3 && numbers.slice(0, 3).every(Number.isFinite))
      current.diffuse = [numbers[0] as number, numbers[1] as number, numbers[2] as number];
    else if (keyword === 'd' && Number.isFinite(first)) current.opacity = clamp(first as number);
    else if (keyword === 'Tr' && Number.isFinite(first)) current.opacity = clamp(1 - (first as number));
    else if (keyword === 'Ns' && Number.isFinite(first) && (first as number) >= 0)
      current.roughness = clamp(Math.sqrt(2 / ((first as number) + 2)));
    else if (keyword === 'map_Kd') current.diffuseMap = withoutOptions(rest);
  }
  return materials;
}

function blank(): { -readonly [Key in keyof MtlMaterial]: MtlMaterial[Key] } {
  return { diffuse: null, opacity: 1, roughness: null, diffuseMap: null };
}

/** Drops leading `-o 1 1 1`, `-s ...`, `-bm 1` and the like. */
function withoutOptions(words: readonly string[]): string {
  let at = 0;
  while (at < words.length - 1 && (words[at] as string).startsWith('-')) {
    at += 1;
    while (at < words.length - 1 && /^(?:-?[\d.]+|on|off)$/.test(words[at] as string)) at += 1;
  }
  return words.slice(at).join(' ');
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
