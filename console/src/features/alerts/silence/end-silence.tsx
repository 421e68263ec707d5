import { WindowRepeat, windowText } from "@telltale/contract/domains/alerting/maintenance";
import { type Silence, silences } from "@telltale/contract/domains/alerting/silences";
import type { ReactNode } from "react";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { recent } from "../../../ui/format/time.ts";
import { serverNow } from "../../../ui/server-time.ts";
import { silencedCalls } from "./use-silent.ts";

interface EndSilenceProps {
  silence: Silence;
  isOpen: boolean;
  onClose: () => void;
}

/** The question before a silence is ended by hand; a window that repeats may end for this time only. */
export const EndSilence = ({ silence, isOpen, onClose }: EndSilenceProps): ReactNode => {
  const { silenceId, version, plan, startTime } = silence;
  const { mutate, isPending } = useAction(silences.end, { invalidates: silencedCalls, onDone: onClose });
  const end = (occurrence: 0 | 1) => mutate({ silenceId, version, occurrence });
  const repeats = plan !== null && plan.repeat !== WindowRepeat.once;
  const isBegun = startTime.getTime() <= serverNow();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={isBegun ? "End silence" : "Cancel maintenance"}
      width={540}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {repeats && isBegun && (
            <Button variant="default" loading={isPending} onClick={() => end(1)}>
              End this time
            </Button>
          )}
          <Button variant="ink" loading={isPending} onClick={() => end(0)} data-autofocus>
            {repeats ? "End for good" : "End"}
          </Button>
        </>
      }
    >
      <p>
        <b>{silence.alarmName}</b>
        {plan && `, ${windowText(plan)}`}. {isBegun ? `It would end by itself ${recent(silence.endTime)}.` : ""}
      </p>
      <p>People are notified again at once of what is raised from now on. Nobody is notified of what stands already.</p>
    </Dialog>
  );
};
