import { JointEnding, type JointRow, joint } from "@telltale/contract/domains/joint";
import { useConfirmedAction } from "../../form/use-confirmed-action.tsx";
import { endingText, levelLabel, ruleSentence } from "./joint-text.ts";

interface Switching {
  row: JointRow;
  enabled: boolean;
}

/** What the output does at once, and later. */
const Consequence = ({ row, enabled }: Switching) => {
  const { output, level, ending, isActive } = row;
  if (enabled)
    return isActive
      ? `Its alert is open now: ${output.channelName} goes ${levelLabel(level)} at once.`
      : `It drives ${output.channelName} as soon as its alert opens.`;
  const now = isActive ? `Its alert is open now: ${output.channelName} ` : "";
  if (!isActive) return `It drives ${output.channelName} no more.`;
  return `${now}${ending === JointEnding.back ? "goes " : ""}${endingText(row)}.`;
};

/** Asks for confirmation before a joint control is enabled or disabled: either may drive an output at once. */
export const useSwitchJoint = () =>
  useConfirmedAction({
    call: joint.enable,
    inputOf: ({ row: { jointId, version }, enabled }: Switching) => ({ jointId, enabled, version }),
    invalidates: [joint.list, joint.info],
    success: "Modify successful",
    title: ({ enabled }) => (enabled ? "Enable joint control" : "Disable joint control"),
    action: ({ enabled }) => (enabled ? "Enable" : "Disable"),
    question: (switching) => (
      <>
        Are you sure that you want to {switching.enabled ? "enable" : "disable"} this joint control?
        <p>
          <b>{switching.row.name}</b>, {switching.row.output.deviceName}. {ruleSentence(switching.row)}
        </p>
        <p>
          <Consequence {...switching} />
        </p>
      </>
    ),
  });
