import { AuditError, quoted } from '../core/errors.ts';
import { isFailure } from '../core/outcome.ts';
import type { Cell } from '../core/trial.ts';
import type { Task } from '../evaluators/tasks.ts';
import type { Instrument } from './instruments.ts';
import type { LoadedAudit } from './load-audit.ts';
import { type OpenSweep, type OpenSweepOptions, openSweep } from './open-sweep.ts';
import { PictureLoader } from './picture-loader.ts';
import { renderStage } from './render-stage.ts';

/** The work of one evaluator, to be done elsewhere. */
export interface AuditTasks {
  readonly tasks: AsyncGenerator<Task>;
  readonly cells: readonly Cell[];
  /** Distinct trial keys. */
  readonly planned: ReadonlySet<string>;
  /** Cells whose picture or scene is missing, by reason. */
  readonly withheld: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * Every distinct trial of one evaluator, as tasks for another machine: missing pictures are drawn first, nothing is scored.
 *
 * @throws AuditError for an evaluator that cannot be asked (a table, an ensemble).
 */
export async function auditTasks(
  loaded: LoadedAudit,
  evaluator: string,
  options: Omit<OpenSweepOptions, 'evaluators'>,
  draw: boolean,
): Promise<AuditTasks> {
  const sweep = await openSweep(loaded, { ...options, evaluators: [evaluator] });
  try {
    const [instrument] = sweep.instruments;
    if (instrument === undefined || instrument.ensemble !== null || instrument.evaluator.kind === 'scores')
      throw new AuditError(
        `${loaded.audit.shown}: evaluators.${evaluator} asks nothing itself; expected an evaluator that scores pictures`,
      );
    if (draw)
      await renderStage({
        store: sweep.store,
        images: sweep.images,
        renderer: async () => {
          if (sweep.renderer === null)
            throw new AuditError(`${loaded.audit.shown}: no renderer for ${quoted(evaluator)}; expected one`);
          return sweep.renderer;
        },
        references: sweep.references.values(),
        signal: options.signal,
        onProgress: options.onProgress,
      });
    return { ...(await listTasks(sweep, instrument)), close: sweep.close };
  } catch (error) {
    await sweep.close();
    throw error;
  }
}

async function listTasks(sweep: OpenSweep, instrument: Instrument): Promise<Omit<AuditTasks, 'close'>> {
  const pictures = await PictureLoader.over(sweep.store, sweep.images, sweep.references.values());
  const resolved = sweep.cells(instrument);
  const withheld = new Map<string, number>();
  const cells: Cell[] = [];
  const asks = new Map<string, (typeof resolved)[number]['asks'][number]>();
  for (const {
    generator,
    prompt,
    factor,
    level,
    repeat,
    asks: [ask],
    failure,
  } of resolved) {
    if (ask !== undefined && ask.images.length > 1)
      throw new AuditError(
        `${sweep.loaded.audit.shown}: evaluators.${instrument.id} is shown ${ask.images.length} pictures a question; expected one (tasks for other machines carry one picture)`,
      );
    const missing = failure ?? pictures.failureOf(ask?.images ?? []);
    if (ask === undefined || missing !== null) {
      const reason = missing?.reason ?? 'nothing to ask';
      withheld.set(reason, (withheld.get(reason) ?? 0) + 1);
      continue;
    }
    cells.push({ evaluator: instrument.id, generator, prompt, factor, level, repeat, trial: ask.trial });
    asks.set(ask.trial, ask);
  }
  async function* tasks(): AsyncGenerator<Task> {
    for (const { trial, image, caption, scene, parameters, repeat } of asks.values())
      yield {
        task: trial,
        ...(image === null
          ? {}
          : {
              image: {
                key: image.key,
                load: async () => {
                  const picture = await pictures.load(image);
                  if (isFailure(picture))
                    throw new AuditError(`${sweep.loaded.audit.shown}: ${picture.reason}; expected a picture`);
                  return picture;
                },
              },
            }),
        ...(caption === null ? {} : { caption: caption.text }),
        ...(scene === null ? {} : { scene: (await scene.load()).folder }),
        parameters,
        repeat,
      };
  }
  return { tasks: tasks(), cells, planned: new Set(asks.keys()), withheld };
}
