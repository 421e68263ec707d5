import { once } from "node:events";
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** A TCP proxy whose connections can be disturbed. */
export interface TcpProxy {
  port: number;
  /** Number of open connections. */
  connections(): number;
  /** Cuts this share of the connections, 0 to 1, in the middle of their traffic. */
  cut(share: number): number;
  /** Cuts all connections; new ones go to another target. */
  redirect(target: NetConnectOpts): void;
  /** From now on delays the clients' data by this many milliseconds. */
  delay(milliseconds: number): void;
  stop(): Promise<void>;
}

/** Forwards bytes in one direction in order, each chunk delayed by `delay`. */
const carry = (from: Socket, to: Socket, delay: () => number): void => {
  let last = Promise.resolve();
  from.on("data", (piece: Buffer) => {
    const milliseconds = delay();
    if (milliseconds === 0 && !from.isPaused()) {
      to.write(piece);
      return;
    }
    from.pause();
    last = last.then(
      () =>
        new Promise((resolve) =>
          setTimeout(() => {
            to.write(piece);
            from.resume();
            resolve();
          }, milliseconds),
        ),
    );
  });
};

/** Starts a proxy on loopback in front of `target`. */
export const startTcpProxy = async (first: NetConnectOpts): Promise<TcpProxy> => {
  const pairs = new Set<() => void>();
  let late = 0;
  let target = first;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(target);
    const cut = (): void => {
      pairs.delete(cut);
      near.destroy();
      far.destroy();
    };
    pairs.add(cut);
    carry(near, far, () => late);
    carry(far, near, () => 0);
    for (const socket of [near, far]) socket.on("error", cut).on("close", cut);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => pairs.size,
    cut: (share) => {
      const chosen = [...pairs].filter(() => Math.random() < share);
      for (const cut of chosen) cut();
      return chosen.length;
    },
    redirect: (to) => {
      target = to;
      for (const cut of pairs) cut();
    },
    delay: (milliseconds) => {
      late = milliseconds;
    },
    stop: async () => {
      for (const cut of pairs) cut();
      server.close();
      await once(server, "close");
    },
  };
};
