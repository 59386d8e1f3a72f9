export { AuditError, type ErrorCode, EXIT } from './core/errors.ts';
export { canonicalJson, type Json } from './core/json.ts';
export type { Ledger, Outcome, OutcomeStatus } from './core/outcome.ts';
export type { Configuration, RenderConfiguration, Scale, View } from './core/protocol.ts';
export { Random } from './core/random.ts';
export type { FrozenScene, Room, Scene, SceneObject, Wall } from './core/scene.ts';
export type { DualEncoder, Evaluator, JointEvaluator, ScoreRequest } from './evaluators/evaluator.ts';
export type { Renderer, RendererSettings } from './rendering/renderer.ts';
