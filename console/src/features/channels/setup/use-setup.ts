import { useQueryClient } from "@tanstack/react-query";
import { Code } from "@telltale/contract/call/codes";
import type { Key } from "@telltale/contract/channel-types/keys";
import { type ChannelSetup, channelSettings, type DeviceSetup } from "@telltale/contract/domains/channel-settings";
import { channels } from "@telltale/contract/domains/channels";
import { devices } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import { useState } from "react";
import { invalidate } from "../../../session/invalidate.ts";
import { showFailure } from "../../../session/query.ts";
import { callQuery, useAction, useCall } from "../../../session/use-call.ts";
import {
  type ChannelDraft,
  changeOf,
  concurrentSaves,
  type Drafts,
  type Edited,
  editedChannel,
  isChanged,
  isFaulty,
  localChanges,
  withoutKeys,
} from "./drafts.ts";

/** Calls that are stale after a save; other pages learn of it by the live socket. */
const outdated = [
  devices.header,
  channels.info,
  channels.grouped,
  channels.value,
  channels.outputSources,
  history.periods,
];

/** Settings for which the other user's value is kept, by channel. */
export type KeptKeys = Readonly<Record<number, readonly Key[]>>;

/** A channel with its draft. */
export interface ChannelWithDraft {
  channel: ChannelSetup;
  draft: ChannelDraft | undefined;
  edited: Edited;
}

interface Work {
  /** The device when editing began. */
  began: DeviceSetup;
  /** The newest known state of the device: drafts are compared with it, and a save names its version. */
  now: DeviceSetup;
  drafts: Drafts;
}

/** Rebases the work on what others have saved: settings not changed here take the saved value. */
const rebase = (work: Work, now: DeviceSetup): Work => ({
  ...work,
  now,
  drafts: localChanges(work.began, work.drafts),
});

const withDrafts = (device: DeviceSetup, drafts: Drafts): ChannelWithDraft[] =>
  device.channels.map((channel) => {
    const draft = drafts[channel.deviceChannelId];
    return { channel, draft, edited: editedChannel(device, channel, draft) };
  });

/** A device's settings with their unsaved changes, until they are saved or discarded. */
export const useSetup = (deviceId: number) => {
  const queries = useQueryClient();
  // Another device must not be used as placeholder data.
  const { data: live, error, refetch } = useCall(channelSettings.setup, { deviceId }, { placeholderData: undefined });
  const [work, setWork] = useState<Work>();
  const query = { ...callQuery(channelSettings.setup, { deviceId }), staleTime: 0 };
  if (work && live && live.settingsVersion > work.now.settingsVersion) setWork(rebase(work, live));
  const device = work?.now ?? live;
  const members = device ? withDrafts(device, work?.drafts ?? {}) : [];

  // What was saved is being loaded: a second save would be of the version before.
  const [isSettling, setSettling] = useState(false);
  const action = useAction(channelSettings.modify, { success: "Modify successful", invalidates: outdated });
  /** After a conflict: keeps the drafts and compares them with the other user's saved values. */
  const keepDraftsAfterConflict = async (): Promise<void> => {
    const now = await queries.fetchQuery(query);
    setWork((before) => before && rebase(before, now));
  };
  /** Saves the changes, except settings for which the other user's value is kept. Calls `onFaulty` when the rest is inconsistent. */
  const save = (kept: KeptKeys, { onDone, onFaulty }: { onDone: () => void; onFaulty: () => void }): void => {
    if (!device || !work) return;
    const drafts = withoutKeys(work.drafts, kept);
    setWork({ ...work, drafts });
    const changed = withDrafts(device, drafts).filter(({ edited }) => isChanged(edited));
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
        setSettling(true);
        // Invalidated together with the save's other stale calls; otherwise the live message would load the settings a second time.
        await invalidate(queries, [channelSettings.setup]).finally(() => setSettling(false));
        setWork(undefined);
        onDone();
      },
      onError: ({ code }) => {
        // The review stays open and shows the other user's changes.
        if (code === Code.conflict) void keepDraftsAfterConflict().catch(showFailure);
        else onDone();
      },
    });
  };
  return {
    device,
    /** The newest state, for what is not edited here. */
    live,
    members,
    theirs: work ? concurrentSaves(work.began, work.now) : {},
    isSaving: action.isPending || isSettling,
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
