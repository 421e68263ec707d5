import { LiveCommand, type LiveValue } from "@telltale/contract/live";
import type { Frame } from "./pending.ts";
import { everything, type Watched } from "./watch.ts";

/** What a socket has named, and which of these channels' newest values it still has to be sent. */
interface Watch extends Watched {
  missing: readonly number[];
}

/** Which channels the sockets of a plant have named. */
export interface Watches<S> {
  /** The socket is sent values of these channels only; it lacks newer ones of `unsent`. */
  watch(socket: S, watched: Watched | typeof everything, unsent: readonly number[]): void;
  leave(socket: S): void;
  /** Notes the newest value of a channel. */
  note(value: LiveValue): void;
  /** Sockets with the same key are sent the same. */
  keyOf(socket: S): string | undefined;
  /** Those of the frames that the socket is sent. */
  wanted(socket: S | undefined, frames: readonly Frame[]): readonly Frame[];
  /** The newest values of channels that sockets have named since the last call and had not named before. */
  takeMissing(): [socket: S, values: LiveValue[]][];
}

/** What the socket lacks with these channels; one that had named none was sent all values. */
const missingOf = (before: Watch | undefined, { channelIds }: Watched, unsent: readonly number[]): number[] => {
  if (!before) return [];
  const lacking = new Set([...before.missing, ...unsent]);
  return [...channelIds].filter((id) => !before.channelIds.has(id) || lacking.has(id));
};

export const createWatches = <S>(): Watches<S> => {
  const watches = new Map<S, Watch>();
  const newest = new Map<number, LiveValue>();
  return {
    watch: (socket, watched, unsent) => {
      if (watched === everything) watches.delete(socket);
      else watches.set(socket, { ...watched, missing: missingOf(watches.get(socket), watched, unsent) });
    },
    leave: (socket) => void watches.delete(socket),
    note: (value) => void newest.set(value.deviceChannelId, value),
    keyOf: (socket) => watches.get(socket)?.key,
    wanted: (socket, frames) => {
      const watch = socket && watches.get(socket);
      if (!watch) return frames;
      return frames.filter(
        ({ message }) => message.cmd !== LiveCommand.value || watch.channelIds.has(message.deviceChannelId),
      );
    },
    takeMissing: () => {
      const found: [S, LiveValue[]][] = [];
      for (const [socket, watch] of watches) {
        if (watch.missing.length === 0) continue;
        found.push([socket, watch.missing.flatMap((id) => newest.get(id) ?? [])]);
        watch.missing = [];
      }
      return found;
    },
  };
};
