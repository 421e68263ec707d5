import { Tabs } from "@mantine/core";
import { IconChartLine, IconList, IconRefresh } from "@tabler/icons-react";
import type { ChannelRow, LogGroup } from "@telltale/contract/domains/channels";
import type { DeviceDetail } from "@telltale/contract/domains/devices";
import type { Zone } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import type { Window } from "../../../domain/samples.ts";
import { Panel } from "../../../ui/page/panel.tsx";
import tabs from "../../../ui/tabs.module.css";
import { ChartPanel } from "../chart/chart-panel.tsx";
import { CompareLink } from "../trend/compare-link.tsx";
import { ReadingsList } from "./readings-list.tsx";
import classes from "./readings-panel.module.css";
import { useReadings } from "./use-readings.ts";
import type { View } from "./view.ts";

interface ReadingsPanelProps {
  device: DeviceDetail;
  channel: ChannelRow;
  period: LogGroup;
  view: View;
  zone: Zone;
  /** What chooses the view, above the readings; it says which window they are in. */
  bar: (window: Window | undefined) => ReactNode;
  /** The open tab is kept when the channel changes. */
  tab: string;
  onTab: (tab: string) => void;
  /** Selects the previous settings period; undefined when there is none within the range. */
  onEarlier: (() => void) | undefined;
}

/** The readings of a channel: GRAPHIC and LIST. (spec 1 §2) */
export const ReadingsPanel = ({ device, zone, bar, tab, onTab, ...wanted }: ReadingsPanelProps) => {
  const readings = useReadings({ ...wanted, timeZoneId: device.timeZoneId });
  const shared = { readings, device, zone };
  return (
    <Panel className={classes.panel}>
      <Tabs
        value={tab}
        onChange={(next) => next && onTab(next)}
        keepMounted={false}
        classNames={{ ...tabs, root: classes.root, panel: classes.panel }}
      >
        <div className={classes.head}>
          <Tabs.List className={classes.list}>
            <Tabs.Tab value="graphic" leftSection={<IconChartLine size={17} stroke={1.7} aria-hidden />}>
              GRAPHIC
            </Tabs.Tab>
            <Tabs.Tab value="list" leftSection={<IconList size={17} stroke={1.7} aria-hidden />}>
              LIST
            </Tabs.Tab>
          </Tabs.List>
          <CompareLink deviceChannelId={wanted.channel.deviceChannelId} view={wanted.view} />
          <button type="button" className={classes.refresh} aria-label="Refresh" onClick={readings.refresh}>
            <IconRefresh size={18} stroke={1.7} aria-hidden />
          </button>
        </div>
        {bar(readings.window)}
        <Tabs.Panel value="graphic">
          <ChartPanel {...shared} />
        </Tabs.Panel>
        <Tabs.Panel value="list">
          <ReadingsList {...shared} />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
};
