import type { ContrastMatrix } from './contrast-matrix.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

/** Dimensions of the subspace a group of contrasts is projected on. */
const DIMENSIONS = 12;
/** Members of a node at most, of a leaf at most; a smaller group is not worth projecting. */
const NODE = 32;
const LEAF = 4;
const WORTH_PROJECTING = 40;
/** A factor with this many levels makes a group of its own: its levels are wordings of one thing, close to each other. */
const LARGE_FACTOR = 24;

/**
 * Contrasts in groups of nearly parallel directions (one evaluator, one generator pair), each group with an orthonormal basis and its
 * members in leaves. A leaf bounds all its members at once: with a the coordinates of a member in the basis and beta the length of
 * what the basis misses, u.g <= a.(Vg) + beta |g - V'Vg| for every vector g, and a lies within `radius` of the leaf's centre.
 *
 * All arrays are shared between threads.
 */
export interface BandGroups {
  readonly groups: number;
  readonly dimensions: number;
  /** Directions of the members, group by group and leaf by leaf. */
  readonly directions: Float64Array;
  /** Prompt set of each group. */
  readonly set: Uint32Array;
  /** First node of each group, groups + 1 entries; nodes hold leaves, and both come in fours (empty ones fill up). */
  readonly nodeStart: Uint32Array;
  /** 1 when the group has a basis; otherwise its members are computed plainly. */
  readonly projected: Uint8Array;
  /** `[group * dimensions * columns]`. */
  readonly basis: Float64Array;
  /** Unit mean direction, where the studentised bound touches. */
  readonly centroid: Float64Array;
  /** Members are alpha centroid + beta e: smallest and largest alpha, largest beta, of each group. */
  readonly spread: Float64Array;
  readonly nodes: BandBalls;
  /** First leaf of each node, nodes + 1 entries. */
  readonly leafStart: Uint32Array;
  readonly leaves: BandBalls;
  /** First member of each leaf, leaves + 1 entries. */
  readonly memberStart: Uint32Array;
}

/** Balls in the basis: centre, radius, and the largest residual of what they hold. */
export interface BandBalls {
  readonly centre: Float64Array;
  readonly radius: Float64Array;
  readonly residual: Float64Array;
}

function shared(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * length));
}

function sharedIntegers(values: readonly number[]): Uint32Array {
  const array = new Uint32Array(new SharedArrayBuffer(4 * values.length));
  array.set(values);
  return array;
}

/** Groups the band's members; `factorOf` names the factor of a contrast, so that the levels of a large one stay together. */
export function bandGroups(
  matrix: ContrastMatrix,
  factorOf: (evaluator: number, configuration: number) => string,
): BandGroups {
  const { columns } = matrix;
  const dimensions = DIMENSIONS;
  const lists = grouped(matrix, factorOf);
  const order: number[] = [];
  const set: number[] = [];
  const nodeStart: number[] = [];
  const leafStart: number[] = [];
  const memberStart: number[] = [];
  const nodes = new BallList(dimensions);
  const leaves = new BallList(dimensions);
  const projected = new Uint8Array(new SharedArrayBuffer(lists.length));
  const basis = shared(lists.length * dimensions * columns);
  const centroid = shared(lists.length * columns);
  const spread = shared(lists.length * 3);
  for (const [group, members] of lists.entries()) {
    set.push(matrix.set[members[0]!]!);
    nodeStart.push(leafStart.length);
    if (members.length < WORTH_PROJECTING || columns <= dimensions) {
      leafStart.push(memberStart.length);
      memberStart.push(order.length);
      nodes.addEmpty();
      leaves.addEmpty();
      order.push(...members);
      continue;
    }
    projected[group] = 1;
    const fitted = fitBasis(matrix, members, dimensions);
    basis.set(fitted.basis, group * dimensions * columns);
    centroid.set(fitted.centroid, group * columns);
    spread.set(fitted.spread, group * 3);
    const split = (indices: number[], most: number) => splitWidest(indices, fitted.coordinates, dimensions, most);
    const tops = split([...members.keys()], NODE);
    for (let top = 0; top < tops.length || top % 4 !== 0; top += 1) {
      leafStart.push(memberStart.length);
      nodes.add(tops[top] ?? [], fitted.coordinates, fitted.residual);
      const parts = top < tops.length ? split(tops[top]!, LEAF) : [];
      for (let part = 0; part < parts.length || part % 4 !== 0; part += 1) {
        memberStart.push(order.length);
        leaves.add(parts[part] ?? [], fitted.coordinates, fitted.residual);
        for (const member of parts[part] ?? []) order.push(members[member]!);
      }
    }
  }
  nodeStart.push(leafStart.length);
  leafStart.push(memberStart.length);
  memberStart.push(order.length);
  const directions = shared(order.length * columns);
  for (const [place, id] of order.entries())
    directions.set(matrix.directions.subarray(id * columns, (id + 1) * columns), place * columns);
  return {
    groups: lists.length,
    dimensions,
    directions,
    set: sharedIntegers(set),
    nodeStart: sharedIntegers(nodeStart),
    projected,
    basis,
    centroid,
    spread,
    nodes: nodes.finish(),
    leafStart: sharedIntegers(leafStart),
    leaves: leaves.finish(),
    memberStart: sharedIntegers(memberStart),
  };
}

class BallList {
  readonly #dimensions: number;
  readonly #centres: Float64Array[] = [];
  readonly #radius: number[] = [];
  readonly #residual: number[] = [];

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  /** The ball around some members' coordinates; nothing passes the bound of an empty one. */
  add(members: readonly number[], coordinates: Float64Array, residual: Float64Array): void {
    const dimensions = this.#dimensions;
    if (members.length === 0) {
      this.addEmpty();
      return;
    }
    const centre = new Float64Array(dimensions);
    for (const member of members)
      for (let axis = 0; axis < dimensions; axis += 1)
        centre[axis]! += coordinates[member * dimensions + axis]! / members.length;
    let largest = 0;
    let missed = 0;
    for (const member of members) {
      let squares = 0;
      for (let axis = 0; axis < dimensions; axis += 1)
        squares += (coordinates[member * dimensions + axis]! - centre[axis]!) ** 2;
      largest = Math.max(largest, Math.sqrt(squares));
      missed = Math.max(missed, residual[member]!);
    }
    this.#centres.push(centre);
    this.#radius.push(largest);
    this.#residual.push(missed);
  }

  addEmpty(): void {
    this.#centres.push(new Float64Array(this.#dimensions));
    this.#radius.push(0);
    this.#residual.push(-1e300);
  }

  finish(): BandBalls {
    const copy = (values: readonly number[]) => {
      const array = shared(values.length);
      array.set(values);
      return array;
    };
    const centre = shared(this.#centres.length * this.#dimensions);
    for (const [index, values] of this.#centres.entries()) centre.set(values, index * this.#dimensions);
    return { centre, radius: copy(this.#radius), residual: copy(this.#residual) };
  }
}

/** Ids of one evaluator, pair and prompt set; large factors apart. */
function grouped(matrix: ContrastMatrix, factorOf: (evaluator: number, configuration: number) => string): number[][] {
  const sizes = new Map<string, number>();
  const nameOf = (id: number) =>
    `${matrix.evaluator[id]},${matrix.pair[id]},${matrix.set[id]},${factorOf(matrix.evaluator[id]!, matrix.configuration[id]!)}`;
  for (let id = 0; id < matrix.count; id += 1)
    if (matrix.inBand[id] === 1) sizes.set(nameOf(id), (sizes.get(nameOf(id)) ?? 0) + 1);
  const lists = new Map<string, number[]>();
  for (let id = 0; id < matrix.count; id += 1) {
    if (matrix.inBand[id] === 0) continue;
    const name = nameOf(id);
    const key =
      sizes.get(name)! >= LARGE_FACTOR ? name : `${matrix.evaluator[id]},${matrix.pair[id]},${matrix.set[id]}`;
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [id]);
    else list.push(id);
  }
  return [...lists.values()];
}

/** Leading principal directions of the members (not centred), their coordinates, and the length of what is missed. */
function fitBasis(matrix: ContrastMatrix, members: readonly number[], dimensions: number) {
  const { columns, directions } = matrix;
  const moments = new Float64Array(columns * columns);
  const centroid = new Float64Array(columns);
  for (const id of members) {
    const start = id * columns;
    for (let a = 0; a < columns; a += 1) {
      const value = directions[start + a]!;
      centroid[a]! += value;
      for (let b = 0; b <= a; b += 1) moments[a * columns + b]! += value * directions[start + b]!;
    }
  }
  for (let a = 0; a < columns; a += 1)
    for (let b = 0; b < a; b += 1) moments[b * columns + a] = moments[a * columns + b]!;
  const basis = symmetricEigen(moments, columns).vectors.subarray(0, dimensions * columns);
  let length = 0;
  for (const value of centroid) length += value * value;
  length = Math.sqrt(length);
  // Opposite members can cancel; then any member serves as the point of contact.
  for (let a = 0; a < columns; a += 1)
    centroid[a] = length > 1e-6 * members.length ? centroid[a]! / length : directions[members[0]! * columns + a]!;
  const spread = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0] as [number, number, number];
  for (const id of members) {
    let alpha = 0;
    for (let a = 0; a < columns; a += 1) alpha += centroid[a]! * directions[id * columns + a]!;
    spread[0] = Math.min(spread[0], alpha);
    spread[1] = Math.max(spread[1], alpha);
    spread[2] = Math.max(spread[2], Math.sqrt(Math.max(0, 1 - alpha * alpha)) + 1e-12);
  }
  const coordinates = new Float64Array(members.length * dimensions);
  const residual = new Float64Array(members.length);
  for (const [member, id] of members.entries()) {
    const rest = Float64Array.from(directions.subarray(id * columns, (id + 1) * columns));
    for (let axis = 0; axis < dimensions; axis += 1) {
      let product = 0;
      for (let a = 0; a < columns; a += 1) product += basis[axis * columns + a]! * directions[id * columns + a]!;
      coordinates[member * dimensions + axis] = product;
      for (let a = 0; a < columns; a += 1) rest[a]! -= product * basis[axis * columns + a]!;
    }
    let squares = 0;
    for (const value of rest) squares += value * value;
    residual[member] = Math.sqrt(squares);
  }
  return { basis, centroid, spread, coordinates, residual };
}

/** Splits members at the median of their widest coordinate until a part holds at most `most`. */
function splitWidest(members: number[], coordinates: Float64Array, dimensions: number, most: number): number[][] {
  if (members.length <= most) return [members];
  let axis = 0;
  let widest = -1;
  for (let candidate = 0; candidate < dimensions; candidate += 1) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const member of members) {
      const value = coordinates[member * dimensions + candidate]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > widest) {
      widest = high - low;
      axis = candidate;
    }
  }
  const sorted = [...members].sort(
    (a, b) => coordinates[a * dimensions + axis]! - coordinates[b * dimensions + axis]! || a - b,
  );
  // Multiples of four: the kernel computes four members side by side.
  const middle = 4 * Math.ceil(sorted.length / 8);
  return [
    ...splitWidest(sorted.slice(0, middle), coordinates, dimensions, most),
    ...splitWidest(sorted.slice(middle), coordinates, dimensions, most),
  ];
}
