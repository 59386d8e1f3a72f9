import type { Contract } from '../core/card.ts';
import { AuditError, quoted } from '../core/errors.ts';
import { hashJson } from '../core/hash.ts';
import { compareText, type Json } from '../core/json.ts';
import type { Manifest, ManifestEvaluator, ManifestFactor } from '../core/manifest.ts';

/**
 * The contract of one evaluator: the protocol parts of the manifest that apply to what it reads. An evaluator that
 * reads no image has no renderer and no view, so it keeps its card ID when only the camera changes.
 *
 * @throws AuditError when the manifest knows no evaluator of that id.
 */
export function buildContract(manifest: Manifest, evaluator: string): Contract {
  const found = manifest.evaluators.find((entry) => entry.id === evaluator);
  if (found === undefined)
    throw new AuditError(
      `manifest: unknown evaluator ${quoted(evaluator)}; expected one of ${manifest.evaluators.map((entry) => entry.id).join(', ')}`,
    );
  const kinds = new Map(manifest.protocol.factors.map((factor) => [factor.factor, kindOf(factor)]));
  const defaults = (kind: ManifestFactor['kind']) => configurationOf(manifest, kinds, kind);
  const { renderer, grammar, design } = manifest.protocol;
  const template = grammar?.templates.find((entry) => entry.id === manifest.protocol.c0['template']);
  return {
    schema: 'parallax/contract@1',
    evaluator: {
      kind: found.kind,
      role: found.role,
      scale: found.scale,
      reads: found.reads,
      fingerprint: found.fingerprint,
    },
    renderer: found.reads.image ? (renderer?.fingerprint ?? null) : null,
    view: found.reads.image ? withoutOwn(found, defaults('render')) : null,
    aggregation: aggregationOf(found),
    caption: found.reads.caption
      ? { grammar: grammar?.sha256 ?? null, template: template?.text ?? null, default: defaults('caption') }
      : null,
    parameters: defaults('evaluator'),
    configurations: {
      design,
      factors: manifest.protocol.factors
        .filter((factor) => applies(factor, found))
        .map((factor) => ({
          factor: factor.factor,
          kind: factor.kind,
          levels: factor.shared ? [...factor.levels].sort(compareText) : null,
          default: factor.default,
          at: factor.at,
        }))
        .sort((a, b) => compareText(a.factor, b.factor)),
    },
  };
}

/** Digest and printed ID of a contract: `ecc-` and the first 12 hex digits of the SHA-256 of its canonical JSON. */
export function cardIdOf(contract: Contract): { cardId: string; digest: string } {
  const digest = hashJson(contract);
  return { cardId: `ecc-${digest.slice(0, 12)}`, digest };
}

const RENDER = new Set(['resolution', 'focal', 'lighting', 'background', 'pitch', 'yaw']);
const CAPTION = new Set(['template', 'paraphrase']);

function kindOf(factor: ManifestFactor): ManifestFactor['kind'] {
  return factor.kind;
}

/** c0 restricted to the factors of one kind; factors held at their default without being swept count too. */
function configurationOf(
  manifest: Manifest,
  kinds: ReadonlyMap<string, ManifestFactor['kind']>,
  kind: ManifestFactor['kind'],
): Record<string, string> {
  const entries = Object.entries(manifest.protocol.c0).filter(([factor]) => {
    const declared = kinds.get(factor);
    if (declared !== undefined) return declared === kind;
    return kind === (RENDER.has(factor) ? 'render' : CAPTION.has(factor) ? 'caption' : 'evaluator');
  });
  return Object.fromEntries(entries);
}

/** Factors an evaluator sets itself: the poses of several views in one request stand in its fingerprint. */
function ownFactors({ fingerprint }: ManifestEvaluator): readonly string[] {
  const views = (fingerprint as { readonly [key: string]: Json } | null)?.['views'];
  return Array.isArray(views) ? ['pitch', 'yaw'] : [];
}

function withoutOwn(evaluator: ManifestEvaluator, view: Record<string, string>): Record<string, string> {
  const own = ownFactors(evaluator);
  return Object.fromEntries(Object.entries(view).filter(([factor]) => !own.includes(factor)));
}

function applies(factor: ManifestFactor, evaluator: ManifestEvaluator): boolean {
  if (factor.evaluators !== null && !factor.evaluators.includes(evaluator.id)) return false;
  if (factor.kind === 'render') return evaluator.reads.image && !ownFactors(evaluator).includes(factor.factor);
  if (factor.kind === 'caption') return evaluator.reads.caption;
  return true;
}

/** An ensemble names its aggregate in its fingerprint; everything else scores one picture. */
function aggregationOf(evaluator: ManifestEvaluator): string {
  if (!evaluator.reads.image) return 'none';
  const fingerprint: Json = evaluator.fingerprint as Json;
  if (fingerprint !== null && typeof fingerprint === 'object' && !Array.isArray(fingerprint)) {
    const aggregate = (fingerprint as { readonly [key: string]: Json })['aggregate'];
    if (typeof aggregate === 'string') return aggregate;
  }
  return 'single-view';
}
