import { type LiveMessage, livePath } from "@telltale/contract/live";
import { type ReactNode, useEffect, useMemo } from "react";
import { earlyAskedAt, expireSession } from "../client.ts";
import { useInvalidate } from "../invalidate.ts";
import { useSession } from "../session.ts";
import { readToken } from "../token.ts";
import { LiveContext } from "./live.ts";
import { createLiveSocket } from "./live-socket.ts";
import { createWatchedChannels } from "./watched-channels.ts";

const addressOf = (userId: number, accountId: number, token: string | undefined): string => {
  const address = new URL(livePath(userId, accountId), location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.search = new URLSearchParams({ token: token ?? "" }).toString();
  return address.href;
};

/** Opens the session's single live socket for its children. */
export const LiveProvider = ({ children }: { children: ReactNode }) => {
  const invalidate = useInvalidate();
  const { userId } = useSession().user;
  const { accountId } = useSession().account;
  const { socket, live } = useMemo(() => {
    const listeners = new Set<(message: LiveMessage) => void>();
    let token: string | undefined;
    const watched = createWatchedChannels(() => created.send(watched.message()));
    const created = createLiveSocket({
      address: () => {
        token = readToken();
        return addressOf(userId, accountId, token);
      },
      onMessage: (message) => {
        for (const listener of listeners) listener(message);
      },
      greeting: watched.message,
      askedAt: earlyAskedAt,
      onRefetch: () => invalidate(),
      onSignedOut: () => expireSession(token),
    });
    const listen = (listener: (message: LiveMessage) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    return {
      socket: created,
      live: { link: created.link, subscribe: created.subscribe, listen, watch: watched.watch, retry: created.retry },
    };
  }, [invalidate, userId, accountId]);
  useEffect(() => {
    socket.start();
    return socket.stop;
  }, [socket]);
  return <LiveContext value={live}>{children}</LiveContext>;
};
