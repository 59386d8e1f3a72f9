import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DuckDBAppender, type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { AuditError, messageOf } from '../core/errors.ts';
import type { Outcome, OutcomeStatus } from '../core/outcome.ts';
import { throwNotAStore, throwStoreFault } from './store-fault.ts';
import { STORE_SCHEMA, STORE_TABLES } from './store-schema.ts';

/** A picture as the renderer left it: a PNG in the image folder, or a failure. */
export interface StoredRender {
  readonly key: string;
  readonly status: OutcomeStatus;
  readonly reason: string;
  /** SHA-256 of the decoded RGBA pixels; empty for a failure. */
  readonly pixels: string;
  /** Mean alpha-weighted linear luminance of the foreground; NaN for a failure. */
  readonly luminance: number;
}

export interface StoredEmbedding {
  readonly key: string;
  readonly status: OutcomeStatus;
  readonly reason: string;
  readonly vector: Float32Array | null;
}

export interface StoredCoverage {
  readonly key: string;
  readonly total: number;
  readonly used: number;
  readonly characters: number;
  readonly seen: string;
}

export interface StoredOutcome {
  readonly trial: string;
  readonly outcome: Outcome;
}

/**
 * The store: every render, embedding and outcome ever made here, found by content key and never repeated.
 * One process writes at a time. Everything is committed in whole batches, so a kill leaves no half-written work.
 */
export class Store {
  readonly path: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(path: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.path = path;
    this.#instance = instance;
    this.#connection = connection;
  }

  /**
   * Opens (or creates) a store.
   * @throws AuditError when another process holds it, the folder cannot be written, or it is of another version.
   */
  static async open(path: string): Promise<Store> {
    const isNew = !existsSync(path);
    try {
      mkdirSync(dirname(path), { recursive: true });
      const instance = await DuckDBInstance.create(path, {
        threads: '2',
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
      });
      const connection = await instance.connect();
      await connection.run(STORE_TABLES);
      const store = new Store(path, instance, connection);
      if (isNew) await store.setMeta('schema', STORE_SCHEMA);
      const schema = await store.meta('schema');
      if (schema !== null && schema !== STORE_SCHEMA) {
        await store.close();
        throw new AuditError(`${path}: store of version "${schema}"; expected "${STORE_SCHEMA}"`, {
          hint: 'Move the old store away, or name another one with --store.',
        });
      }
      if (schema === null) await store.setMeta('schema', STORE_SCHEMA);
      return store;
    } catch (error) {
      if (error instanceof AuditError) throw error;
      const text = messageOf(error, 300);
      if (/lock/i.test(text))
        throw new AuditError(`${path}: the store is in use by another process; expected one writer at a time`, {
          code: 'ENVIRONMENT',
          hint: 'Wait for the other run, or give this one a store of its own with --store PATH.',
        });
      // A disk that was full while the file was made leaves part of one, which no later run could open.
      if (isNew) for (const half of [path, `${path}.wal`]) rmSync(half, { force: true });
      throw new AuditError(`${path}: cannot open the store (${text}); expected a writable DuckDB file`, {
        code: 'ENVIRONMENT',
        hint: isNew
          ? 'Make room, or name another place with --store.'
          : 'Restore the file, or move it away: everything in it can be made again.',
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async meta(key: string): Promise<string | null> {
    const rows = await this.#rows('select value from meta where key = $1', [key]);
    return rows.length === 0 ? null : String(rows[0]?.[0]);
  }

  async setMeta(key: string, value: string): Promise<void> {
    await this.#run('insert or replace into meta values ($1, $2)', [key, value]);
  }

  /** Stored renders among `keys`. */
  async renders(keys: readonly string[]): Promise<Map<string, StoredRender>> {
    const rows = await this.#byKeys('select key, status, reason, pixels, luminance from renders', 'key', keys);
    return new Map(
      rows.map((row) => [
        String(row[0]),
        {
          key: String(row[0]),
          status: row[1] as OutcomeStatus,
          reason: String(row[2]),
          pixels: String(row[3]),
          luminance: Number(row[4]),
        },
      ]),
    );
  }

  async putRenders(renders: readonly StoredRender[]): Promise<void> {
    await this.#replace(
      'renders',
      'key',
      renders.map(({ key }) => key),
      (appender) => {
        for (const render of renders) {
          appender.appendVarchar(render.key);
          appender.appendVarchar(render.status);
          appender.appendVarchar(render.reason);
          appender.appendVarchar(render.pixels);
          appender.appendDouble(render.luminance);
          appender.endRow();
        }
      },
    );
  }

  /** Stored embeddings of one instrument among `keys`. */
  async embeddings(
    instrument: string,
    kind: 'image' | 'caption',
    keys: readonly string[],
  ): Promise<Map<string, StoredEmbedding>> {
    const rows = await this.#byKeys(
      `select key, status, reason, vector from embeddings where instrument = '${hex(instrument)}' and kind = '${kind}' and`,
      'key',
      keys,
    );
    return new Map(
      rows.map((row) => [
        String(row[0]),
        { key: String(row[0]), status: row[1] as OutcomeStatus, reason: String(row[2]), vector: vectorOf(row[3]) },
      ]),
    );
  }

  async putEmbeddings(
    instrument: string,
    kind: 'image' | 'caption',
    embeddings: readonly StoredEmbedding[],
  ): Promise<void> {
    const where = `instrument = '${hex(instrument)}' and kind = '${kind}' and key`;
    await this.#replace(
      'embeddings',
      where,
      embeddings.map(({ key }) => key),
      (appender) => {
        for (const { key, status, reason, vector } of embeddings) {
          appender.appendVarchar(instrument);
          appender.appendVarchar(kind);
          appender.appendVarchar(key);
          appender.appendVarchar(status);
          appender.appendVarchar(reason);
          if (vector === null) appender.appendNull();
          else appender.appendBlob(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
          appender.endRow();
        }
      },
    );
  }

  async coverage(instrument: string, keys: readonly string[]): Promise<Map<string, StoredCoverage>> {
    const rows = await this.#byKeys(
      `select key, total, used, characters, seen from coverage where instrument = '${hex(instrument)}' and`,
      'key',
      keys,
    );
    return new Map(
      rows.map((row) => [
        String(row[0]),
        {
          key: String(row[0]),
          total: Number(row[1]),
          used: Number(row[2]),
          characters: Number(row[3]),
          seen: String(row[4]),
        },
      ]),
    );
  }

  async putCoverage(instrument: string, coverage: readonly StoredCoverage[]): Promise<void> {
    await this.#replace(
      'coverage',
      `instrument = '${hex(instrument)}' and key`,
      coverage.map(({ key }) => key),
      (appender) => {
        for (const row of coverage) {
          appender.appendVarchar(instrument);
          appender.appendVarchar(row.key);
          appender.appendInteger(row.total);
          appender.appendInteger(row.used);
          appender.appendInteger(row.characters);
          appender.appendVarchar(row.seen);
          appender.endRow();
        }
      },
    );
  }

  /** Stored outcomes among `trials`. */
  async outcomes(trials: readonly string[]): Promise<Map<string, Outcome>> {
    const rows = await this.#byKeys('select trial, status, value, reason, record from outcomes', 'trial', trials);
    return new Map(
      rows.map((row) => {
        const record = row[4] === null ? {} : { record: String(row[4]) };
        const outcome: Outcome =
          row[1] === 'scored'
            ? { status: 'scored', value: Number(row[2]), ...record }
            : { status: row[1] as Exclude<OutcomeStatus, 'scored'>, reason: String(row[3]), ...record };
        return [String(row[0]), outcome];
      }),
    );
  }

  async putOutcomes(outcomes: readonly StoredOutcome[]): Promise<void> {
    await this.#replace(
      'outcomes',
      'trial',
      outcomes.map(({ trial }) => trial),
      (appender) => {
        for (const { trial, outcome } of outcomes) {
          appender.appendVarchar(trial);
          appender.appendVarchar(outcome.status);
          if (outcome.status === 'scored') appender.appendDouble(outcome.value);
          else appender.appendNull();
          appender.appendVarchar(outcome.status === 'scored' ? '' : outcome.reason);
          if (outcome.record === undefined) appender.appendNull();
          else appender.appendVarchar(outcome.record);
          appender.endRow();
        }
      },
    );
  }

  /**
   * Forgets failures, so that they are asked again (`parallax retry`): failed, refused and unparseable outcomes. What an
   * evaluator skipped of its own accord is an answer and stays. Returns how many outcomes were forgotten.
   */
  async forgetFailures(trials: readonly string[]): Promise<number> {
    let count = 0;
    for (const chunk of chunks(trials, 5000)) {
      const result = await this.#run(
        `delete from outcomes where status not in ('scored', 'skipped') and trial in (${chunk.map((key) => `'${hex(key)}'`).join(',')})`,
      );
      count += result.rowsChanged;
    }
    return count;
  }

  /** Remembers how fast a stage went, for `plan`. */
  async putRate(stage: string, count: number, seconds: number): Promise<void> {
    if (count > 0 && seconds > 0)
      await this.#run('insert into rates values ($1, $2, $3)', [stage, BigInt(count), seconds]);
  }

  /** Seconds a piece of a stage took, over everything measured here; null before anything was. */
  async secondsEach(stage: string): Promise<number | null> {
    const rows = await this.#rows('select sum(seconds) / sum(count) from rates where stage = $1', [stage]);
    const value = rows[0]?.[0];
    return value === null || value === undefined ? null : Number(value);
  }

  /** How much is held: renders, embeddings, outcomes. */
  async counts(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of ['renders', 'embeddings', 'outcomes'])
      counts[table] = Number((await this.#rows(`select count(*) from ${table}`))[0]?.[0] ?? 0);
    return counts;
  }

  /** Copies everything another store holds and this one does not. Returns rows added a table. */
  async merge(path: string): Promise<Record<string, number>> {
    if (!existsSync(path))
      throw new AuditError(`${path}: no such store; expected a DuckDB file`, { code: 'MISSING_FILE' });
    const added: Record<string, number> = {};
    const notAStore = (error: unknown): never => throwNotAStore(path, error);
    await this.#connection.run(`attach '${path.replaceAll("'", "''")}' as other (read_only)`).catch(notAStore);
    try {
      await this.#run('begin');
      // A score made there replaces a failure recorded here, never the other way round.
      for (const [table, key] of [
        ['renders', 'key'],
        ['outcomes', 'trial'],
        ['embeddings', "instrument || ' ' || kind || ' ' || key"],
      ])
        await this.#run(
          `delete from ${table} where status <> 'scored' and ${key} in (select ${key} from other.${table} where status = 'scored')`,
        );
      for (const table of ['renders', 'embeddings', 'coverage', 'outcomes'])
        added[table] = (await this.#run(`insert or ignore into ${table} select * from other.${table}`)).rowsChanged;
      await this.#run('commit');
    } catch (error) {
      await this.#rollback();
      if (/^(Catalog|Binder) Error/.test(messageOf(error))) notAStore(error);
      throw error;
    } finally {
      await this.#connection.run('detach other').catch(() => {});
    }
    return added;
  }

  async #rows(sql: string, values: (string | number)[] = []): Promise<unknown[][]> {
    return (
      await this.#connection.runAndReadAll(sql, values).catch((error: unknown) => throwStoreFault(this.path, error))
    ).getRows() as unknown[][];
  }

  #run(sql: string, values: Parameters<DuckDBConnection['run']>[1] = []) {
    return this.#connection.run(sql, values).catch((error: unknown) => throwStoreFault(this.path, error));
  }

  /** Ends a batch that failed; when the database has ended it already, there is nothing left to undo. */
  async #rollback(): Promise<void> {
    await this.#connection.run('rollback').catch(() => {});
  }

  async #byKeys(select: string, column: string, keys: readonly string[]): Promise<unknown[][]> {
    const rows: unknown[][] = [];
    const joined = select.trimEnd().endsWith('and') ? select : `${select} where`;
    for (const chunk of chunks(keys, 5000))
      for (const row of await this.#rows(`${joined} ${column} in (${chunk.map((key) => `'${hex(key)}'`).join(',')})`))
        rows.push(row);
    return rows;
  }

  /** One committed batch: rows with these keys are replaced. */
  async #replace(
    table: string,
    column: string,
    keys: readonly string[],
    append: (appender: DuckDBAppender) => void,
  ): Promise<void> {
    if (keys.length === 0) return;
    await this.#run('begin');
    try {
      for (const chunk of chunks(keys, 5000))
        await this.#run(`delete from ${table} where ${column} in (${chunk.map((key) => `'${hex(key)}'`).join(',')})`);
      const appender = await this.#connection.createAppender(table);
      append(appender);
      appender.closeSync();
      await this.#run('commit');
    } catch (error) {
      await this.#rollback();
      throwStoreFault(this.path, error);
    }
  }
}

/** Keys are SHA-256 hex; anything else never reaches SQL. */
function hex(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error(`store: invalid key "${key}"; expected 64 hex digits`);
  return key;
}

function vectorOf(value: unknown): Float32Array | null {
  if (value === null || value === undefined) return null;
  const bytes = (value as { bytes: Uint8Array }).bytes;
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, copy.byteLength / 4);
}

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
