import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createUnauthenticatedConnections, type UnauthenticatedConnection } from "./unauthenticated.ts";

const plenty = { connections: 100, bytes: 100_000 };

describe("connections that have not signed in", () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  /** Starts a server with these limits; its accepted connections in order. */
  const listening = async (limits: Parameters<typeof createUnauthenticatedConnections>[0]) => {
    const unauthenticatedConnections = createUnauthenticatedConnections(limits);
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(() => server.close());
    const { port } = server.address() as { port: number };
    const join = async (): Promise<{ socket: Socket; unauthenticated: UnauthenticatedConnection }> => {
      const client = connect(port, "127.0.0.1");
      client.on("error", () => {});
      ends.push(() => client.destroy());
      const [socket] = (await once(server, "connection")) as [Socket];
      socket.on("error", () => {});
      unauthenticatedConnections.admit(socket, "127.0.0.1");
      const unauthenticated = unauthenticatedConnections.of(socket);
      if (!unauthenticated) throw new Error("The connection was not admitted");
      return { socket, unauthenticated };
    };
    return { join, unauthenticatedConnections };
  };

  it.each(["network", "all"] as const)("are closed, the oldest first, when there are too many (%s)", async (which) => {
    const { join } = await listening({ network: plenty, all: plenty, [which]: { ...plenty, connections: 2 } });
    const [first, second] = [await join(), await join()];
    expect([first.socket.destroyed, second.socket.destroyed]).toEqual([false, false]);
    const third = await join();
    expect([first, second, third].map(({ socket }) => socket.destroyed)).toEqual([true, false, false]);
  });

  it("free their place after authentication or disconnect, and are then not closed", async () => {
    const { join, unauthenticatedConnections } = await listening({
      network: { ...plenty, connections: 1 },
      all: plenty,
    });
    const device = await join();
    device.unauthenticated.signIn();
    const gone = await join();
    gone.socket.destroy();
    await once(gone.socket, "close");
    expect(unauthenticatedConnections.of(gone.socket)).toBeUndefined();
    const unauthenticated = await join();
    await turn();
    expect([device, unauthenticated].map(({ socket }) => socket.destroyed)).toEqual([false, false]);
  });

  it("have a common limit of buffered bytes; the oldest with any is closed", async () => {
    const { join } = await listening({ network: { ...plenty, bytes: 10_000 }, all: plenty });
    const [idle, first, second] = [await join(), await join(), await join()];
    first.unauthenticated.hold(8_000);
    second.unauthenticated.hold(2_000);
    expect(first.socket.destroyed).toBe(false);
    second.unauthenticated.hold(2_001);
    expect([idle, first, second].map(({ socket }) => socket.destroyed)).toEqual([false, true, false]);
    second.unauthenticated.hold(8_000);
    second.unauthenticated.hold(0);
    const third = await join();
    third.unauthenticated.hold(8_000);
    expect(second.socket.destroyed).toBe(false);
  });
});
