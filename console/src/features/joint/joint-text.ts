import { AlertType, alertTypeLabels } from "@telltale/contract/domains/alerts";
import {
  JointEnding,
  type JointRow,
  type JointSource,
  type OutputLevel,
  oppositeLevel,
  outputLevelLabels,
} from "@telltale/contract/domains/joint";

/** ON or OFF. */
export const levelLabel = (level: OutputLevel): string => outputLevelLabels[level];

/** The limit with its unit: '8 bar'; empty for a contact, whose alarm is a level. */
const limitOf = ({ threshold, unit }: Pick<JointSource, "threshold" | "unit">): string =>
  threshold === null ? "" : `${threshold}${unit === "" ? "" : ` ${unit}`}`;

type Condition = Pick<JointSource, "alarmType" | "alarmId" | "alarmName" | "threshold" | "unit">;

/** The condition as text: 'High, from 8 bar', 'ON', or the name of the alert rule. */
export const conditionText = (source: Condition): string => {
  const { alarmType, alarmName, threshold } = source;
  const limit = limitOf(source);
  const named = alarmName === "" ? "" : `${alarmName}: `;
  const word = alertTypeLabels[alarmType];
  if (threshold === null) return `${named}${word}`;
  switch (alarmType) {
    case AlertType.high:
    case AlertType.counting:
      return `${named}${word}, from ${limit}`;
    case AlertType.low:
      return `${named}${word}, down to ${limit}`;
    default:
      return `${named}${threshold > 0 ? "ON" : "OFF"}`;
  }
};

/** What happens when the condition ends. */
export const endingText = ({ level, ending }: Pick<JointRow, "level" | "ending">): string =>
  ending === JointEnding.back ? `back to ${levelLabel(oppositeLevel(level))}` : `stays ${levelLabel(level)}`;

interface Sentence {
  source: Condition & Pick<JointSource, "channelName" | "deviceName">;
  output: { channelName: string; deviceName: string };
  level: OutputLevel;
  ending: JointEnding;
}

/** The whole rule as a sentence. */
export const ruleSentence = ({ source, output, level, ending }: Sentence): string =>
  `When ${source.channelName} of ${source.deviceName} is in alert (${conditionText(source)}), ${output.channelName} of ${output.deviceName} ${levelLabel(level)}; afterwards ${endingText({ level, ending })}.`;
