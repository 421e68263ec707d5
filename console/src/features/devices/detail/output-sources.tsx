import { channels, type OutputSource, sourceTypeLabels } from "@telltale/contract/domains/channels";
import { useState } from "react";
import { useCall } from "../../../session/use-call.ts";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { SkeletonRows } from "../../../ui/page/skeleton-rows.tsx";
import classes from "./output-sources.module.css";

interface OutputSourcesProps {
  deviceId: number;
  /** The current source of the output, as its setting names it: channel name plus High or Low. */
  chosen: string;
}

const nameOf = ({ channelName, type }: OutputSource): string => `${channelName} ${sourceTypeLabels[type]}`;

const stateOf = (source: OutputSource, chosen: string): string => {
  if (nameOf(source) === chosen) return "In use";
  return source.flag === 1 ? "Available" : "No such alarm set";
};

const Rows = ({ sources, chosen }: { sources: OutputSource[]; chosen: string }) =>
  sources.map((source) => (
    <tr
      key={`${source.deviceChannelId} ${source.type}`}
      aria-current={nameOf(source) === chosen || undefined}
      data-off={source.flag === 0 || undefined}
    >
      <th scope="row">{nameOf(source)}</th>
      <td>{source.deviceName}</td>
      <td>{stateOf(source, chosen)}</td>
    </tr>
  ));

const Sources = ({ deviceId, chosen }: OutputSourcesProps) => {
  const { data, error, refetch } = useCall(channels.outputSources, { deviceId }, { placeholderData: undefined });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data?.length === 0) return <EmptyState>Neither this device nor its master has inputs</EmptyState>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className={classes.scroll} aria-label="Sources" tabIndex={0}>
      <table className={classes.table} aria-label="Sources" aria-busy={!data}>
        <thead>
          <tr>
            <th>SOURCE</th>
            <th>DEVICE</th>
            <th>STATE</th>
          </tr>
        </thead>
        <tbody>{data ? <Rows sources={data} chosen={chosen} /> : <SkeletonRows columns={[0.8, 0.6, 0.5]} />}</tbody>
      </table>
    </section>
  );
};

/** Opens the list of possible sources of a digital output. (spec 1 §2) */
export const OutputSources = ({ deviceId, chosen }: OutputSourcesProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={classes.open} onClick={() => setOpen(true)}>
        Sources
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Sources">
        <p className={classes.note}>
          The alarms that may drive this output: of the inputs of its device and its master.
        </p>
        <Sources deviceId={deviceId} chosen={chosen} />
      </Dialog>
    </>
  );
};
