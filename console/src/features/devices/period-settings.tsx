import { type ChannelRow, ChannelType, type LogGroup } from "@telltale/contract/channels";
import { Term, Terms } from "../../ui/terms.tsx";
import { OutputSources } from "./output-sources.tsx";
import { key } from "./settings.ts";

interface PeriodSettingsProps {
  channel: ChannelRow;
  deviceId: number;
  period: LogGroup;
}

/** The settings that were in force during a period; a digital output's lead to what may drive it. (spec 1 §2) */
export const PeriodSettings = ({ channel, deviceId, period }: PeriodSettingsProps) => {
  const isOutput = channel.channelType === ChannelType.digitalOutput;
  return (
    <Terms>
      {period.channelSettingChangeDto.map(({ name, nameVal }) => {
        const isSource = isOutput && name === key.source;
        return (
          <Term key={name} name={name} isWide={isSource}>
            {nameVal}
            {isSource && <OutputSources deviceId={deviceId} chosen={nameVal} />}
          </Term>
        );
      })}
    </Terms>
  );
};
