import { JointEnding, type JointRow, joint } from "@telltale/contract/joint";
import { useRemoval } from "../../form/use-removal.tsx";
import { endingWords } from "./words.ts";

/** Asks before a joint control is deleted. */
export const useRemoveJoint = () =>
  useRemoval({
    call: joint.remove,
    inputOf: ({ jointId }: JointRow) => ({ jointId }),
    invalidates: [joint.list],
    title: "Delete joint control",
    question: (row) => (
      <>
        Are you sure that you want to delete this joint control?
        <p>{row.name}</p>
        {row.enabled && row.isActive && (
          <p>
            Its alert is open now: {row.output.channelName} {row.ending === JointEnding.back && "goes "}
            {endingWords(row)}.
          </p>
        )}
      </>
    ),
  });
