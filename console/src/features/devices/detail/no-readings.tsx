import type { Zone } from "@telltale/contract/text/wall-clock";
import { Button } from "../../../ui/control/button.tsx";
import { EmptyState } from "../../../ui/page/message.tsx";
import { emptyText } from "../readings/range.ts";
import type { Readings } from "../readings/use-readings.ts";

interface NoReadingsProps {
  readings: Readings;
  zone: Zone;
}

/** Shown instead of a line or a list: explains why it is empty, and links to the previous settings period. */
export const NoReadings = ({ readings: { period, range, onEarlier }, zone }: NoReadingsProps) => (
  <EmptyState
    action={
      onEarlier && (
        <Button variant="default" size="xs" onClick={onEarlier}>
          Show the period before
        </Button>
      )
    }
  >
    {emptyText(period, range, zone)}
  </EmptyState>
);
