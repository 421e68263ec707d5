import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import { type ObjectResult, type ObjectStore, Objm, StorageType } from "@nats-io/obj";
import type { NatsConnection } from "@nats-io/transport-node";
import { asError } from "../fault.ts";
import type { FileStore } from "../files/shared-files.ts";
import { OperatorError } from "../operator-error.ts";
import type { Link } from "./nats-connection.ts";

/** Copies of each file among NATS servers that form a cluster. */
const replicas = 3;

const withoutJetStream =
  "NATS stores no files: start it with JetStream (nats-server --jetstream --store_dir …), or leave NATS_URL out";
const unreachable = "NATS cannot be reached, which has the files of all nodes";

/** Key of the time in the metadata of a file that was shared again. */
const asOfKey = "as-of";

const hasNoJetStream = (fault: unknown): boolean =>
  fault instanceof Error && /jetstream.*not enabled|no responders/i.test(`${fault.name} ${fault.message}`);

const isLost = (fault: unknown): boolean =>
  fault instanceof JetStreamApiError && fault.code === JetStreamApiCodes.StreamNotFound;

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

/** Gives the bucket the copies that it could not get when it was created. Throws while fewer servers of the cluster are up. */
const addCopies = async (connection: NatsConnection, store: ObjectStore): Promise<void> => {
  const { streamInfo } = await store.status();
  if (!streamInfo.cluster || streamInfo.config.num_replicas >= replicas) return;
  const { streams } = await jetstreamManager(connection);
  await streams.update(streamInfo.config.name, { num_replicas: replicas });
};

/** Milliseconds between two tries to give the bucket its copies. */
const minute = 60_000;

/** Gives the bucket its copies as soon as there are servers for them: a connection may last for as long as its node runs. */
const keepAddingCopies = (connection: NatsConnection, store: ObjectStore): void => {
  const look = async (): Promise<void> => {
    const isDone = await addCopies(connection, store).then(
      () => true,
      () => connection.isClosed(),
    );
    if (isDone) clearInterval(timer);
  };
  const timer = setInterval(look, minute).unref();
  void look();
};

/** The content, which ends with an error where it cannot be read to its end, or NATS finds that its checksum is wrong. */
const contentOf = ({ data, error }: ObjectResult): Readable => {
  const content = Readable.fromWeb(data as unknown as ReadableStream<Uint8Array>);
  // It may fail before anybody reads it; who does so later finds it destroyed. Without a listener the fault would end the node.
  content.on("error", () => undefined);
  const end = (fault: unknown): void => void content.destroy(asError(fault));
  void error.then((fault) => fault && end(fault), end);
  return content;
};

/** Returns what works with the cluster's bucket; with a new one where NATS has lost it with its disk. */
const bucketOf = (link: Pick<Link, "current">, name: string) => {
  const buckets = new WeakMap<NatsConnection, Promise<ObjectStore>>();
  const bucket = (connection: NatsConnection): Promise<ObjectStore> => {
    const known = buckets.get(connection);
    if (known) return known;
    const opening = openBucket(connection, name).catch((fault: unknown) => {
      buckets.delete(connection);
      throw fault;
    });
    buckets.set(connection, opening);
    opening.then(
      (store) => keepAddingCopies(connection, store),
      () => undefined,
    );
    return opening;
  };
  return async <T>(work: (store: ObjectStore) => Promise<T>): Promise<T> => {
    const connection = link.current();
    if (!connection) throw new Error(unreachable);
    try {
      return await work(await bucket(connection));
    } catch (fault) {
      if (!isLost(fault)) throw fault;
      buckets.delete(connection);
      return work(await bucket(connection));
    }
  };
};

/** The files of a cluster in an object store of NATS' JetStream, which checks their SHA-256 when they are read. */
export const natsFiles = (link: Pick<Link, "current">, storeId: string): FileStore => {
  const inBucket = bucketOf(link, `telltale-${storeId}`);
  const list = (): Promise<string[]> =>
    inBucket(async (store) => (await store.list()).filter(({ deleted }) => !deleted).map(({ name }) => name));
  return {
    id: async () => storeId,
    list,
    versionOf: async (path) => {
      const info = await inBucket((store) => store.info(path));
      return info && !info.deleted ? info.nuid : undefined;
    },
    sharedAsOf: async (path) => {
      const time = (await inBucket((store) => store.info(path)))?.metadata?.[asOfKey];
      return time === undefined ? undefined : Number(time);
    },
    isRemoved: async (path) => (await inBucket((store) => store.info(path)))?.deleted === true,
    read: async (path) => {
      const found = await inBucket((store) => store.get(path));
      if (!found || found.info.deleted) return undefined;
      return { version: found.info.nuid, content: contentOf(found) };
    },
    write: async (path, content, asOf) => {
      const data = Readable.toWeb(content) as unknown as globalThis.ReadableStream<Uint8Array>;
      // A bucket that is lost is noticed before the content is read.
      const shared = asOf === undefined ? {} : { metadata: { [asOfKey]: String(asOf) } };
      return (await inBucket((store) => store.put({ name: path, ...shared }, data))).nuid;
    },
    remove: async (path) => {
      const file = await inBucket((store) => store.info(path));
      if (file) {
        if (!file.deleted) await inBucket((store) => store.delete(path));
        return;
      }
      // A folder, whose files only the list of the whole bucket has.
      for (const name of await list()) if (name.startsWith(`${path}/`)) await inBucket((store) => store.delete(name));
    },
  };
};
