import { Button } from "@mantine/core";
import type { Zone } from "../../format/zone.ts";
import { EmptyState } from "../../ui/message.tsx";
import { emptyText } from "./range.ts";
import type { Readings } from "./use-readings.ts";

interface NoReadingsProps {
  readings: Readings;
  zone: Zone;
}

/** Instead of a line or a list: says why there is nothing, and leads to the settings period before. */
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
