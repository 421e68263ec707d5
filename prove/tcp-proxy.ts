import { once } from "node:events";
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** A way to a port or socket that can be disturbed. */
export interface TcpProxy {
  port: number;
  /** Connections through it now. */
  connections(): number;
  /** Cuts this share of the connections, 0 to 1, in the middle of whatever they are doing. */
  cut(share: number): number;
  /** From now on what clients send arrives so many milliseconds later, a piece at a time. */
  delay(milliseconds: number): void;
  stop(): Promise<void>;
}

/** Carries bytes one way, each piece late by what `delay` says, in their order. */
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
export const startTcpProxy = async (target: NetConnectOpts): Promise<TcpProxy> => {
  const pairs = new Set<() => void>();
  let late = 0;
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
