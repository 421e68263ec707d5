import { shownSettings } from "../shown-settings.rules.ts";
import type { PlannedChannel } from "./save.rules.ts";

type Shown = Record<string, string>;

const settingsInWords = ({ channel }: PlannedChannel, settings: PlannedChannel["settings"]): Shown =>
  Object.fromEntries(
    shownSettings(channel.channel_type, settings ?? channel.settings).map(({ name, nameVal }) => [
      `${channel.channel_name} ${name}`,
      nameVal,
    ]),
  );

const stateInWords = ({ channel }: PlannedChannel, name: string, isOn: boolean): Shown => ({
  [`${channel.channel_name} name`]: name,
  [`${channel.channel_name} switch`]: isOn ? "ON" : "OFF",
});

/** What the audit log keeps of a save: each setting that changed, by its channel and in words. */
export const recordedChange = (plans: readonly PlannedChannel[]): { before: Shown; after: Shown } => {
  const before: Shown = {};
  const after: Shown = {};
  for (const plan of plans) {
    const { channel, settings, name, isOn } = plan;
    Object.assign(
      before,
      settingsInWords(plan, undefined),
      stateInWords(plan, channel.channel_name, channel.channel_switch),
    );
    Object.assign(after, settingsInWords(plan, settings), stateInWords(plan, name, isOn));
  }
  for (const field of Object.keys({ ...before, ...after })) {
    if (before[field] !== after[field]) continue;
    delete before[field];
    delete after[field];
  }
  return { before, after };
};
