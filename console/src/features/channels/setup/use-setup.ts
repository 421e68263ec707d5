import { useQueryClient } from "@tanstack/react-query";
import { type ChannelSetup, channelSettings, type DeviceSetup } from "@telltale/contract/channel-settings";
import { channels } from "@telltale/contract/channels";
import { Code } from "@telltale/contract/codes";
import { history } from "@telltale/contract/history";
import { useState } from "react";
import { callQuery, useAction, useCall } from "../../../session/use-call.ts";
import {
  type ChannelDraft,
  changeOf,
  type Drafts,
  type Edited,
  editedChannel,
  isChanged,
  savedMeanwhile,
} from "./drafts.ts";

/** Answers that a save makes old; the live socket tells every other page. */
const outdated = [
  channels.header,
  channels.info,
  channels.grouped,
  channels.value,
  channels.outputSources,
  history.periods,
];

/** A channel with what is being made of it. */
export interface ChannelInWork {
  channel: ChannelSetup;
  draft: ChannelDraft | undefined;
  edited: Edited;
}

interface Work {
  /** The device as it was when the editing began: what is typed is compared with it, and a save names its version. */
  seen: DeviceSetup;
  drafts: Drafts;
  /** What others have saved since then. */
  theirs: ReturnType<typeof savedMeanwhile>;
}

const inWork = (device: DeviceSetup, drafts: Drafts): ChannelInWork[] =>
  device.channels.map((channel) => {
    const draft = drafts[channel.deviceChannelId];
    return { channel, draft, edited: editedChannel(device, channel, draft) };
  });

/** A device's settings with what somebody changes of them, until it is saved or given up. */
export const useSetup = (deviceId: number) => {
  const queries = useQueryClient();
  // Another device must not stand in for this one.
  const { data: live, error, refetch } = useCall(channelSettings.setup, { deviceId }, { placeholderData: undefined });
  const [work, setWork] = useState<Work>();
  const query = { ...callQuery(channelSettings.setup, { deviceId }), staleTime: 0 };
  const device = work?.seen ?? live;
  const members = device ? inWork(device, work?.drafts ?? {}) : [];

  const action = useAction(channelSettings.modify, { success: "Modify successful", invalidates: outdated });
  /** Refused because somebody else was faster: what was typed stays, what they saved is told, and the next save goes on top of it. */
  const meet = async (): Promise<void> => {
    const now = await queries.fetchQuery(query);
    setWork((before) => before && { ...before, seen: now, theirs: savedMeanwhile(before.seen, now) });
  };
  /** A name or a switch was saved beside what is typed, which goes on from there; unless others have saved in between, which the next save tells. */
  const goOn = async (settingsVersion: number): Promise<void> => {
    const now = await queries.fetchQuery(query);
    const isOwn = (seen: DeviceSetup) => seen.settingsVersion === settingsVersion - 1;
    if (now.settingsVersion === settingsVersion)
      setWork((before) => (before && isOwn(before.seen) ? { ...before, seen: now } : before));
  };
  const save = (onDone: () => void): void => {
    if (!device) return;
    const changed = members.filter(({ edited }) => isChanged(edited));
    const payload = changed.map(({ channel, edited }) => changeOf(channel.deviceChannelId, edited));
    const input = { deviceId, settingsVersion: device.settingsVersion, payload };
    action.mutate(input, {
      onSuccess: async () => {
        await queries.fetchQuery(query).catch(() => undefined);
        setWork(undefined);
        onDone();
      },
      onError: ({ code }) => {
        onDone();
        if (code === Code.conflict) void meet();
      },
    });
  };
  return {
    device,
    /** As it is by now, for what is not edited here. */
    live,
    members,
    theirs: work?.theirs ?? {},
    isSaving: action.isPending,
    error: device ? undefined : error,
    retry: () => void refetch(),
    change: (channelId: number, draft: ChannelDraft) =>
      setWork((before) => {
        const seen = before?.seen ?? live;
        return seen && { theirs: {}, ...before, seen, drafts: { ...before?.drafts, [channelId]: draft } };
      }),
    discard: () => setWork(undefined),
    save,
    goOn,
  };
};

export type Setup = ReturnType<typeof useSetup>;
