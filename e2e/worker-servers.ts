import { type RunningServer, type ServerOptions, startServer } from "./server-process.ts";

/** The servers of one worker's tests, by name. */
export interface WorkerServers {
  /** The running server of this name, or a new one. One that is not shared is stopped when the next test needs another. */
  of(name: string, options: ServerOptions, isShared: boolean): Promise<RunningServer>;
  stop(): Promise<void>;
}

export const workerServers = (): WorkerServers => {
  const shared = new Map<string, Promise<RunningServer>>();
  let own: { name: string; server: Promise<RunningServer> } | undefined;
  const endOwn = async (): Promise<void> => {
    const ending = own;
    own = undefined;
    await (await ending?.server.catch(() => undefined))?.stop();
  };
  return {
    of: async (name, options, isShared) => {
      if (own?.name === name) return own.server;
      await endOwn();
      if (!isShared) {
        own = { name, server: startServer(options) };
        return own.server;
      }
      const running = shared.get(name) ?? startServer(options);
      shared.set(name, running);
      return running;
    },
    stop: async () => {
      await endOwn();
      await Promise.all([...shared.values()].map(async (server) => (await server.catch(() => undefined))?.stop()));
    },
  };
};
