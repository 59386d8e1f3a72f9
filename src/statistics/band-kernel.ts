import type { BandGroups } from './band-groups.ts';

/** What one thread works on: the resamples `from` to `to`. Typed arrays are shared, so nothing is copied. */
export interface BandTask {
  readonly from: number;
  readonly to: number;
  readonly columns: number;
  readonly weights: Float64Array;
  readonly groups: BandGroups;
  /** `[set * columns + prompt]`: 1 for prompts of the set. */
  readonly mask: Uint8Array;
  readonly setSize: Float64Array;
  /** A remaining squared error up to this share of the squares is 0. */
  readonly zero: number;
  readonly studentised: Float64Array;
  readonly published: Float64Array;
  /** Contrasts computed exactly, for reports: one entry a thread. */
  readonly computed: Float64Array;
  readonly thread: number;
}

/**
 * Maxima of both bands for some resamples, with exact pruning: a leaf is skipped only when its bound is below the maximum found
 * so far, and every contrast not skipped is computed by the plain formula, in the plain order of operations, so the maxima are
 * those of the plain computation to the last bit.
 *
 * With w the weights and n their sum over the set, x = w.u and Q = sum(w u^2): published t = |x| N / n and studentised
 * t = |x| / sqrt(Q - x^2/n), which exceeds T exactly when |x| - tau sqrt(Q) > 0 with tau^2 = T^2 / (1 + T^2/n). sqrt(Q) is convex in u, so
 * it lies above its tangent at the group's centroid v: sqrt(Q) >= sum(w v u) / sqrt(Q_v). Both bounds are linear in u.
 *
 * This function is sent to worker threads as text: it must not use anything from outside its own body.
 */
export function bandKernel(task: BandTask): void {
  const { from, to, columns, weights, groups, mask, setSize, zero } = task;
  const { directions, dimensions, nodeStart, leafStart, memberStart, basis, centroid, spread, nodes, leaves } = groups;
  /** Far above rounding errors (about 1e-14) and far below any difference that matters. */
  const slack = 1e-9;
  /** Resamples worked on together: a group's data stay in the cache for all of them. */
  const block = 64;
  const centredBlock = new Float64Array(block * columns);
  const sets = new Int32Array(block);
  const totals = new Float64Array(block);
  const norms = new Float64Array(block);
  const maxima = new Float64Array(block);
  const maximaFixed = new Float64Array(block);
  const rank = new Float64Array(block * groups.groups);
  let centred = centredBlock.subarray(0, columns);
  const tangent = new Float64Array(columns);
  const y = new Float64Array(dimensions);
  const p = new Float64Array(dimensions);
  const my = new Float64Array(8);
  const mp = new Float64Array(8);
  let total = 0;
  let size = 0;
  let squaresOfCentred = 0;
  let largest = 0;
  let largestFixed = 0;
  let computed = 0;

  /** Products of the group in hand that its bounds need. */
  let yy = 0;
  let pp = 0;
  let yp = 0;
  let tt = 0;
  let tw = 0;
  let root = 0;
  let lengthY = 0;
  let restY = 0;
  let known = -1;
  let limitFixed = 0;
  let s = 0;
  let lowFixed = 0;
  let lowRatio = 0;
  let lengthUp = 0;
  let lengthDown = 0;
  let restUp = 0;
  let restDown = 0;

  /** w minus its mean over the set, 0 outside it: directions sum to 0 over the set, so products do not change. */
  function centreWeights(start: number, set: number): void {
    let sum = 0;
    size = setSize[set]!;
    for (let prompt = 0; prompt < columns; prompt += 1)
      if (mask[set * columns + prompt] === 1) sum += weights[start + prompt]!;
    const mean = sum / size;
    let squares = 0;
    for (let prompt = 0; prompt < columns; prompt += 1) {
      const value = mask[set * columns + prompt] === 1 ? weights[start + prompt]! - mean : 0;
      centred[prompt] = value;
      squares += value * value;
    }
    total = sum;
    squaresOfCentred = squares;
  }

  /** Raises the maxima to those of one contrast, from w.u and sum(w u^2). */
  function raise(product: number, squares: number): void {
    // Most contrasts raise nothing: one comparison each, with room for rounding, spares the roots and divisions.
    if (known !== largest + largestFixed) refresh();
    if (product * product < lowFixed && product * product < lowRatio * squares) return;
    const length = Math.abs(product);
    const fixed = total === 0 ? Number.POSITIVE_INFINITY : (length * size) / total;
    if (fixed > largestFixed) largestFixed = fixed;
    const spread = squares - (product * product) / total;
    const own = total === 0 || spread <= zero * squares ? Number.POSITIVE_INFINITY : length / Math.sqrt(spread);
    if (own > largest) largest = own;
  }

  /** Four contrasts side by side, each summed in the plain order: the additions of one do not wait for each other's. */
  function exact(start: number, first: number, last: number): void {
    computed += last - first;
    let place = first;
    for (; place + 4 <= last; place += 4) {
      const a = place * columns;
      const b = a + columns;
      const c = b + columns;
      const d = c + columns;
      let pa = 0;
      let pb = 0;
      let pc = 0;
      let pd = 0;
      let qa = 0;
      let qb = 0;
      let qc = 0;
      let qd = 0;
      for (let prompt = 0; prompt < columns; prompt += 1) {
        const weight = weights[start + prompt]!;
        const ua = directions[a + prompt]!;
        const ub = directions[b + prompt]!;
        const uc = directions[c + prompt]!;
        const ud = directions[d + prompt]!;
        const wa = weight * ua;
        const wb = weight * ub;
        const wc = weight * uc;
        const wd = weight * ud;
        pa += wa;
        pb += wb;
        pc += wc;
        pd += wd;
        qa += wa * ua;
        qb += wb * ub;
        qc += wc * uc;
        qd += wd * ud;
      }
      raise(pa, qa);
      raise(pb, qb);
      raise(pc, qc);
      raise(pd, qd);
    }
    for (; place < last; place += 1) {
      const at = place * columns;
      let product = 0;
      let squares = 0;
      for (let prompt = 0; prompt < columns; prompt += 1) {
        const part = weights[start + prompt]! * directions[at + prompt]!;
        product += part;
        squares += part * directions[at + prompt]!;
      }
      raise(product, squares);
    }
  }

  /** Coordinates of centred weights and tangent in the group's basis, four axes side by side. */
  function project(group: number): void {
    for (let axis = 0; axis < dimensions; axis += 4) {
      const a = (group * dimensions + axis) * columns;
      const b = a + columns;
      const c = b + columns;
      const d = c + columns;
      let ya = 0;
      let yb = 0;
      let yc = 0;
      let yd = 0;
      let ta = 0;
      let tb = 0;
      let tc = 0;
      let td = 0;
      for (let prompt = 0; prompt < columns; prompt += 1) {
        const weight = centred[prompt]!;
        const touch = tangent[prompt]!;
        const va = basis[a + prompt]!;
        const vb = basis[b + prompt]!;
        const vc = basis[c + prompt]!;
        const vd = basis[d + prompt]!;
        ya += va * weight;
        yb += vb * weight;
        yc += vc * weight;
        yd += vd * weight;
        ta += va * touch;
        tb += vb * touch;
        tc += vc * touch;
        td += vd * touch;
      }
      y[axis] = ya;
      y[axis + 1] = yb;
      y[axis + 2] = yc;
      y[axis + 3] = yd;
      p[axis] = ta;
      p[axis + 1] = tb;
      p[axis + 2] = tc;
      p[axis + 3] = td;
    }
  }

  /** Products of four ball centres with both coordinate vectors, into places `into` to `into + 3`. */
  function ballProducts(centre: Float64Array, first: number, into: number): void {
    const a = first * dimensions;
    const b = a + dimensions;
    const c = b + dimensions;
    const d = c + dimensions;
    let ya = 0;
    let yb = 0;
    let yc = 0;
    let yd = 0;
    let ta = 0;
    let tb = 0;
    let tc = 0;
    let td = 0;
    for (let axis = 0; axis < dimensions; axis += 1) {
      const weight = y[axis]!;
      const touch = p[axis]!;
      const ca = centre[a + axis]!;
      const cb = centre[b + axis]!;
      const cc = centre[c + axis]!;
      const cd = centre[d + axis]!;
      ya += ca * weight;
      yb += cb * weight;
      yc += cc * weight;
      yd += cd * weight;
      ta += ca * touch;
      tb += cb * touch;
      tc += cc * touch;
      td += cd * touch;
    }
    my[into] = ya;
    my[into + 1] = yb;
    my[into + 2] = yc;
    my[into + 3] = yd;
    mp[into] = ta;
    mp[into + 1] = tb;
    mp[into + 2] = tc;
    mp[into + 3] = td;
  }

  /** After the maxima rose: s = tau / sqrt(Q_v), and the parts of g = +-w - s w v inside and outside the basis. */
  function refresh(): void {
    known = largest + largestFixed;
    limitFixed = ((largestFixed - slack) * total) / size;
    // An infinite maximum cannot rise: s = 1e150 closes every bound.
    const tau = largest === Number.POSITIVE_INFINITY ? 1e150 : largest / Math.sqrt(1 + (largest * largest) / total);
    s = root > 1e-6 ? tau / root : 0;
    lowFixed = limitFixed > 0 ? limitFixed * limitFixed * (1 - slack) : 0;
    lowRatio = tau * tau * (1 - slack);
    const up = Math.max(0, yy - 2 * s * yp + s * s * pp);
    const down = Math.max(0, yy + 2 * s * yp + s * s * pp);
    lengthUp = Math.sqrt(up);
    lengthDown = Math.sqrt(down);
    restUp = Math.sqrt(Math.max(0, squaresOfCentred - 2 * s * tw + s * s * tt - up));
    restDown = Math.sqrt(Math.max(0, squaresOfCentred + 2 * s * tw + s * s * tt - down));
  }

  /** True when something in the ball could raise a maximum. */
  function open(toW: number, toT: number, r: number, beta: number): boolean {
    if (known !== largest + largestFixed) refresh();
    return (
      Math.abs(toW) + r * lengthY + beta * restY > limitFixed ||
      toW - s * toT + r * lengthUp + beta * restUp > -slack ||
      -toW - s * toT + r * lengthDown + beta * restDown > -slack
    );
  }

  /** The same from the centroid alone: every member is alpha v + beta e with e orthogonal to v. */
  function openGroup(group: number, xv: number, squares: number): boolean {
    const low = spread[group * 3]!;
    const high = spread[group * 3 + 1]!;
    const beta = spread[group * 3 + 2]!;
    const reach = Math.max(Math.abs(low), Math.abs(high));
    if (reach * Math.abs(xv) + beta * Math.sqrt(Math.max(0, squaresOfCentred - xv * xv)) > limitFixed) return true;
    for (let sign = 1; sign >= -1; sign -= 2) {
      const along = sign * xv - s * squares;
      const whole = squaresOfCentred - 2 * sign * s * tw + s * s * tt;
      const rest = Math.sqrt(Math.max(0, whole - along * along));
      if (Math.max(low * along, high * along) + beta * rest > -slack) return true;
    }
    return false;
  }

  function visit(group: number, start: number): void {
    const firstNode = nodeStart[group]!;
    const lastNode = nodeStart[group + 1]!;
    if (groups.projected[group] === 0 || total === 0) {
      exact(start, memberStart[leafStart[firstNode]!]!, memberStart[leafStart[lastNode]!]!);
      return;
    }
    // The tangent w v, centred, and its products.
    const at = group * columns;
    const set = groups.set[group]! * columns;
    let squares = 0;
    let sum = 0;
    let xv = 0;
    for (let prompt = 0; prompt < columns; prompt += 1) {
      const direction = centroid[at + prompt]!;
      const part = weights[start + prompt]! * direction;
      tangent[prompt] = part;
      squares += part * direction;
      xv += centred[prompt]! * direction;
      sum += part;
    }
    const mean = sum / size;
    tt = 0;
    tw = 0;
    for (let prompt = 0; prompt < columns; prompt += 1) {
      const value = mask[set + prompt] === 1 ? tangent[prompt]! - mean : 0;
      tangent[prompt] = value;
      tt += value * value;
      tw += value * centred[prompt]!;
    }
    root = Math.sqrt(squares);
    yy = 0;
    pp = 0;
    yp = 0;
    refresh();
    if (!openGroup(group, xv, squares)) return;
    project(group);
    for (let axis = 0; axis < dimensions; axis += 1) {
      yy += y[axis]! * y[axis]!;
      pp += p[axis]! * p[axis]!;
      yp += y[axis]! * p[axis]!;
    }
    lengthY = Math.sqrt(yy);
    restY = Math.sqrt(Math.max(0, squaresOfCentred - yy));
    refresh();
    for (let node = firstNode; node < lastNode; node += 4) {
      ballProducts(nodes.centre, node, 0);
      for (let offset = 0; offset < 4; offset += 1) {
        const own = node + offset;
        if (!open(my[offset]!, mp[offset]!, nodes.radius[own]!, nodes.residual[own]!)) continue;
        for (let leaf = leafStart[own]!; leaf < leafStart[own + 1]!; leaf += 4) {
          ballProducts(leaves.centre, leaf, 4);
          for (let part = 0; part < 4; part += 1) {
            const ball = leaf + part;
            if (open(my[4 + part]!, mp[4 + part]!, leaves.radius[ball]!, leaves.residual[ball]!))
              exact(start, memberStart[ball]!, memberStart[ball + 1]!);
          }
        }
      }
    }
  }

  /** Takes up resample `row` (place `place` of the block) for a group: its maxima, and its weights centred over the group's set. */
  function take(row: number, place: number, set: number): void {
    centred = centredBlock.subarray(place * columns, (place + 1) * columns);
    largest = maxima[place]!;
    largestFixed = maximaFixed[place]!;
    size = setSize[set]!;
    known = -1;
    if (sets[place] === set) {
      total = totals[place]!;
      squaresOfCentred = norms[place]!;
      return;
    }
    centreWeights(row * columns, set);
    sets[place] = set;
    totals[place] = total;
    norms[place] = squaresOfCentred;
  }

  for (let first = from; first < to; first += block) {
    const rows = Math.min(block, to - first);
    sets.fill(-1);
    maxima.fill(0);
    maximaFixed.fill(0);
    const best = new Float64Array(rows);
    for (let group = 0; group < groups.groups; group += 1) {
      const at = group * columns;
      for (let place = 0; place < rows; place += 1) {
        if (groups.projected[group] === 0) {
          rank[place * groups.groups + group] = -1;
          continue;
        }
        take(first + place, place, groups.set[group]!);
        let product = 0;
        for (let prompt = 0; prompt < columns; prompt += 1) product += centred[prompt]! * centroid[at + prompt]!;
        const moved = total === 0 ? 0 : Math.abs(product) / total;
        rank[place * groups.groups + group] = moved;
        if (moved > best[place]!) best[place] = moved;
      }
    }
    // Groups whose centroid moved most come first: they raise the maxima early. Then all others.
    for (let pass = 0; pass < 2; pass += 1)
      for (let group = 0; group < groups.groups; group += 1)
        for (let place = 0; place < rows; place += 1) {
          if (rank[place * groups.groups + group]! >= 0.8 * best[place]! !== (pass === 0)) continue;
          take(first + place, place, groups.set[group]!);
          visit(group, (first + place) * columns);
          maxima[place] = largest;
          maximaFixed[place] = largestFixed;
        }
    task.studentised.set(maxima.subarray(0, rows), first);
    task.published.set(maximaFixed.subarray(0, rows), first);
  }
  task.computed[task.thread]! += computed;
}
