import { useQueryClient } from "@tanstack/react-query";
import { Code } from "@telltale/contract/call/codes";
import type { Key } from "@telltale/contract/channel-types/keys";
import { type ChannelSetup, channelSettings, type DeviceSetup } from "@telltale/contract/domains/channel-settings";
import { channels } from "@telltale/contract/domains/channels";
import { devices } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/history";
import { useState } from "react";
import { invalidate } from "../../../session/invalidate.ts";
import { showFailure } from "../../../session/query.ts";
import { callQuery, useAction, useCall } from "../../../session/use-call.ts";
import {
  type ChannelDraft,
  changedHere,
  changeOf,
  type Drafts,
  type Edited,
  editedChannel,
  isChanged,
  isFaulty,
  savedMeanwhile,
  withoutKeys,
} from "./drafts.ts";

/** Answers that a save makes old; the live socket tells every other page. */
const outdated = [
  devices.header,
  channels.info,
  channels.grouped,
  channels.value,
  channels.outputSources,
  history.periods,
];

/** Settings of which theirs is kept, by channel. */
export type KeptKeys = Readonly<Record<number, readonly Key[]>>;

/** A channel with what is being made of it. */
export interface ChannelInWork {
  channel: ChannelSetup;
  draft: ChannelDraft | undefined;
  edited: Edited;
}

interface Work {
  /** The device as it was when the editing began. */
  began: DeviceSetup;
  /** The device as it is by now, as far as is known: what is typed is compared with it, and a save names its version. */
  now: DeviceSetup;
  drafts: Drafts;
}

/** Goes on from what others have saved: what nobody has changed here is theirs from now on. */
const onTopOf = (work: Work, now: DeviceSetup): Work => ({
  ...work,
  now,
  drafts: changedHere(work.began, work.drafts),
});

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
  if (work && live && live.settingsVersion > work.now.settingsVersion) setWork(onTopOf(work, live));
  const device = work?.now ?? live;
  const members = device ? inWork(device, work?.drafts ?? {}) : [];

  const action = useAction(channelSettings.modify, { success: "Modify successful", invalidates: outdated });
  /** Refused because somebody else was faster: what was typed stays, and is compared with what they have saved. */
  const meet = async (): Promise<void> => {
    const now = await queries.fetchQuery(query);
    setWork((before) => before && onTopOf(before, now));
  };
  /** Saves what is changed, but for the settings of which theirs is kept. `onFaulty` when what is left does not fit together. */
  const save = (kept: KeptKeys, { onDone, onFaulty }: { onDone: () => void; onFaulty: () => void }): void => {
    if (!device || !work) return;
    const drafts = withoutKeys(work.drafts, kept);
    setWork({ ...work, drafts });
    const changed = inWork(device, drafts).filter(({ edited }) => isChanged(edited));
    if (changed.length === 0) {
      setWork(undefined);
      onDone();
      return;
    }
    if (changed.some(({ edited }) => isFaulty(edited))) {
      onFaulty();
      return;
    }
    const payload = changed.map(({ channel, edited }) => changeOf(channel.deviceChannelId, edited));
    const input = { deviceId, settingsVersion: device.settingsVersion, payload };
    action.mutate(input, {
      onSuccess: async () => {
        // With what else the save makes old, or the live message about it would have the settings loaded a second time.
        await invalidate(queries, [channelSettings.setup]);
        setWork(undefined);
        onDone();
      },
      onError: ({ code }) => {
        // The review stays, and shows what they have saved.
        if (code === Code.conflict) void meet().catch(showFailure);
        else onDone();
      },
    });
  };
  return {
    device,
    /** As it is by now, for what is not edited here. */
    live,
    members,
    theirs: work ? savedMeanwhile(work.began, work.now) : {},
    isSaving: action.isPending,
    error: device ? undefined : error,
    retry: () => void refetch(),
    change: (channelId: number, draft: ChannelDraft) =>
      setWork((before) => {
        const now = before?.now ?? live;
        return now && { began: now, ...before, now, drafts: { ...before?.drafts, [channelId]: draft } };
      }),
    discard: () => setWork(undefined),
    save,
  };
};

export type Setup = ReturnType<typeof useSetup>;
