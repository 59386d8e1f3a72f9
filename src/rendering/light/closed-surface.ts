/** Largest number of triangles whose connectivity is looked at; heavier meshes count as open. */
const LARGEST = 400_000;

/**
 * Whether triangles form closed surfaces: every edge is shared by two triangles that run along it in opposite
 * directions (vertices at the same place count as one). Each connected shell found wound inside out (negative enclosed
 * volume) is turned, its normals too. Only closed surfaces can be drawn without their back faces.
 *
 * @param index triangles; changed where a shell is turned
 * @param normal changed where a shell is turned
 */
export function closeSurface(index: Uint32Array, position: Float32Array, normal: Float32Array): boolean {
  const triangles = Math.floor(index.length / 3);
  if (triangles === 0 || triangles > LARGEST) return false;
  const { welded, count } = weld(index, position);
  const edges = new Map<number, number>();
  for (let i = 0; i < 3 * triangles; i += 3)
    for (let corner = 0; corner < 3; corner += 1) {
      const from = welded[i + corner]!;
      const to = welded[i + ((corner + 1) % 3)]!;
      if (from === to) continue;
      const key = from < to ? from * count + to : to * count + from;
      edges.set(key, (edges.get(key) ?? 0) + (from < to ? 1 : -1));
    }
  for (const balance of edges.values()) if (balance !== 0) return false;
  turnShells(index, welded, count, position, normal);
  return true;
}

/** Gives vertices at the same place the same number; one entry an index. */
function weld(index: Uint32Array, position: Float32Array): { welded: Uint32Array; count: number } {
  const bits = new Uint32Array(position.buffer, position.byteOffset, position.length);
  const capacity = 1 << Math.ceil(Math.log2(Math.max(16, 2 * index.length)));
  const table = new Int32Array(capacity).fill(-1);
  const first: number[] = [];
  const seen = new Map<number, number>();
  const welded = new Uint32Array(index.length);
  for (let i = 0; i < index.length; i += 1) {
    const vertex = index[i]!;
    let number = seen.get(vertex);
    if (number === undefined) {
      const [x, y, z] = [bits[3 * vertex]!, bits[3 * vertex + 1]!, bits[3 * vertex + 2]!];
      let at = (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & (capacity - 1);
      for (; ; at = (at + 1) & (capacity - 1)) {
        const known = table[at]!;
        if (known < 0) {
          number = first.length;
          table[at] = number;
          first.push(vertex);
          break;
        }
        const other = first[known]!;
        if (bits[3 * other] === x && bits[3 * other + 1] === y && bits[3 * other + 2] === z) {
          number = known;
          break;
        }
      }
      seen.set(vertex, number);
    }
    welded[i] = number;
  }
  return { welded, count: first.length };
}

function turnShells(
  index: Uint32Array,
  welded: Uint32Array,
  count: number,
  position: Float32Array,
  normal: Float32Array,
): void {
  const parent = Uint32Array.from({ length: count }, (_, vertex) => vertex);
  const root = (vertex: number): number => {
    let at = vertex;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  for (let i = 0; i + 2 < index.length; i += 3) {
    parent[root(welded[i]!)] = root(welded[i + 1]!);
    parent[root(welded[i + 1]!)] = root(welded[i + 2]!);
  }
  const volume = new Float64Array(count);
  for (let i = 0; i + 2 < index.length; i += 3) {
    const [a, b, c] = [3 * index[i]!, 3 * index[i + 1]!, 3 * index[i + 2]!];
    const [ax, ay, az] = [position[a]!, position[a + 1]!, position[a + 2]!];
    const [bx, by, bz] = [position[b]!, position[b + 1]!, position[b + 2]!];
    const [cx, cy, cz] = [position[c]!, position[c + 1]!, position[c + 2]!];
    const shell = root(welded[i]!);
    volume[shell]! += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  const turned = new Set<number>();
  for (let i = 0; i + 2 < index.length; i += 3) {
    if (volume[root(welded[i]!)]! >= 0) continue;
    [index[i + 1], index[i + 2]] = [index[i + 2]!, index[i + 1]!];
    for (let corner = 0; corner < 3; corner += 1) turned.add(index[i + corner]!);
  }
  for (const vertex of turned) for (let axis = 0; axis < 3; axis += 1) normal[3 * vertex + axis]! *= -1;
}
