import {
  type Icon,
  IconActivity,
  IconAdjustmentsHorizontal,
  IconCircuitMotor,
  IconDashboard,
  IconDroplet,
  IconGauge,
  IconLogin2,
  IconLogout2,
  IconRipple,
  IconRotateClockwise2,
  IconRulerMeasure,
  IconSun,
  IconTemperature,
  IconTrendingUp,
  IconVolume,
  IconWaveSine,
  IconWind,
} from "@tabler/icons-react";
import { Analog, analogLabels } from "@telltale/contract/domains/channels";

const icons: Record<Analog, Icon> = {
  [Analog.pressure]: IconGauge,
  [Analog.temperature]: IconTemperature,
  [Analog.humidity]: IconDroplet,
  [Analog.flow]: IconRipple,
  [Analog.frequency]: IconWaveSine,
  [Analog.noise]: IconVolume,
  [Analog.torque]: IconRotateClockwise2,
  [Analog.displacement]: IconRulerMeasure,
  [Analog.speed]: IconDashboard,
  [Analog.vibration]: IconActivity,
  [Analog.illuminance]: IconSun,
  [Analog.acceleration]: IconTrendingUp,
  [Analog.gasConcentration]: IconWind,
  [Analog.other]: IconAdjustmentsHorizontal,
  [Analog.digitalInput]: IconLogin2,
  [Analog.digitalOutput]: IconLogout2,
  [Analog.countingInput]: IconLogin2,
  [Analog.vibrationMg]: IconActivity,
};

const isAnalog = (analogId: number): analogId is Analog => analogId in icons;

/** The label of an analog type: Pressure, DI; an unknown id is Other. */
export const channelLabel = (analogId: number): string => analogLabels[isAnalog(analogId) ? analogId : Analog.other];

interface ChannelIconProps {
  analogId: number;
  size?: number;
}

/** The icon of an analog type; hidden from screen readers because its label is shown beside it. */
export const ChannelIcon = ({ analogId, size = 18 }: ChannelIconProps) => {
  const Shape = icons[isAnalog(analogId) ? analogId : Analog.other];
  return <Shape size={size} stroke={1.6} aria-hidden />;
};

/** The icon of a modbus motor or power controller. */
export const MotorIcon = ({ size = 18 }: { size?: number }) => (
  <IconCircuitMotor size={size} stroke={1.6} aria-hidden />
);
