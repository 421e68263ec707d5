import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { jetstreamManager } from "@nats-io/jetstream";
import { type ObjectStore, Objm, StorageType } from "@nats-io/obj";
import type { NatsConnection } from "@nats-io/transport-node";
import type { FileStore } from "../files/shared-files.ts";
import { OperatorError } from "../operator-error.ts";
import type { Link } from "./nats-connection.ts";

/** Copies of each file among NATS servers that form a cluster. */
const replicas = 3;

const withoutJetStream =
  "NATS stores no files: start it with JetStream (nats-server --jetstream --store_dir …), or leave NATS_URL out";
const unreachable = "NATS cannot be reached, which has the files of all nodes";

const hasNoJetStream = (fault: unknown): boolean =>
  fault instanceof Error && /jetstream.*not enabled|no responders/i.test(`${fault.name} ${fault.message}`);

/** Opens the cluster's bucket; creates it at first, with copies on three servers where there are as many. */
const openBucket = async (connection: NatsConnection, name: string): Promise<ObjectStore> => {
  const manager = new Objm(connection);
  const create = (count: number) => manager.create(name, { storage: StorageType.File, replicas: count });
  try {
    return await manager.open(name).catch(() => create(replicas).catch(() => create(1)));
  } catch (fault) {
    if (hasNoJetStream(fault)) throw new OperatorError(withoutJetStream, { cause: fault });
    throw fault;
  }
};

/** Gives the bucket the copies that it could not get when it was created, because not all servers of the cluster were up. */
const addCopies = async (connection: NatsConnection, store: ObjectStore): Promise<void> => {
  const { streamInfo } = await store.status();
  if (!streamInfo.cluster || streamInfo.config.num_replicas >= replicas) return;
  const { streams } = await jetstreamManager(connection);
  await streams.update(streamInfo.config.name, { num_replicas: replicas });
};

/** The content, which ends with an error where NATS finds that the checksum is wrong. */
const contentOf = (data: globalThis.ReadableStream<Uint8Array>): Readable =>
  Readable.fromWeb(data as unknown as ReadableStream<Uint8Array>);

/** The files of a cluster in an object store of NATS' JetStream, which checks their SHA-256 when they are read. */
export const natsFiles = (link: Pick<Link, "current">, storeId: string): FileStore => {
  const buckets = new WeakMap<NatsConnection, Promise<ObjectStore>>();
  const bucket = (): Promise<ObjectStore> => {
    const connection = link.current();
    if (!connection) return Promise.reject(new Error(unreachable));
    const known = buckets.get(connection);
    if (known) return known;
    const opening = openBucket(connection, `telltale-${storeId}`).catch((fault: unknown) => {
      buckets.delete(connection);
      throw fault;
    });
    buckets.set(connection, opening);
    // Refused while a server is down still: the next connection tries again.
    void opening.then((store) => addCopies(connection, store)).catch(() => undefined);
    return opening;
  };
  const list = async (): Promise<string[]> =>
    (await (await bucket()).list()).filter(({ deleted }) => !deleted).map(({ name }) => name);
  return {
    list,
    versionOf: async (path) => {
      const info = await (await bucket()).info(path);
      return info && !info.deleted ? info.nuid : undefined;
    },
    isRemoved: async (path) => (await (await bucket()).info(path))?.deleted === true,
    read: async (path) => {
      const found = await (await bucket()).get(path);
      if (!found || found.info.deleted) return undefined;
      const content = contentOf(found.data);
      void found.error.then((fault) => fault && content.destroy(fault));
      return { version: found.info.nuid, content };
    },
    write: async (path, content) => {
      const data = Readable.toWeb(content) as unknown as globalThis.ReadableStream<Uint8Array>;
      return (await (await bucket()).put({ name: path }, data)).nuid;
    },
    remove: async (path) => {
      const store = await bucket();
      for (const name of await list()) if (name === path || name.startsWith(`${path}/`)) await store.delete(name);
    },
  };
};
