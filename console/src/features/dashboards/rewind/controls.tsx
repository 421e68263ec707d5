import {
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
} from "@tabler/icons-react";
import { Button } from "../../../ui/control/button.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { Segments } from "../../../ui/segments.tsx";
import classes from "./controls.module.css";
import { type Player, speeds } from "./use-player.ts";

const icon = { size: 17, stroke: 1.8, "aria-hidden": true } as const;

/** The way back to what is now. */
export const LiveLink = ({ isOnPhone = false }: { isOnPhone?: boolean }) => (
  <Button
    component={Link}
    to="/"
    search={{ at: undefined }}
    leaves
    variant="default"
    className={classes.live}
    data-phone={isOnPhone || undefined}
    leftSection={<IconPlayerTrackNext size={16} stroke={1.8} aria-hidden />}
  >
    Live
  </Button>
);

interface ControlsProps {
  player: Player;
  /** The moments of the alerts before and after this one; undefined where there is none. */
  previous: number | undefined;
  next: number | undefined;
  onJump: (at: number) => void;
}

/** From alert to alert, play and pause, and how fast. */
export const Controls = ({ player, previous, next, onJump }: ControlsProps) => {
  const jump = (label: string, at: number | undefined, JumpIcon: typeof IconPlayerSkipBack) => (
    <button
      type="button"
      className={classes.jump}
      aria-label={label}
      title={label}
      disabled={at === undefined}
      onClick={() => at !== undefined && onJump(at)}
    >
      <JumpIcon {...icon} />
    </button>
  );
  const PlayIcon = player.isPlaying ? IconPlayerPause : IconPlayerPlay;
  const play = player.isPlaying ? "Pause" : "Play";
  return (
    <div className={classes.controls}>
      <div className={classes.buttons}>
        {jump("Previous alert", previous, IconPlayerSkipBack)}
        <button type="button" className={classes.play} aria-label={play} title={play} onClick={player.toggle}>
          <PlayIcon {...icon} />
        </button>
        {jump("Next alert", next, IconPlayerSkipForward)}
      </div>
      <Segments
        label="Speed"
        options={speeds.map((value) => ({ value, label: `${value}×` }))}
        value={player.speed}
        onChange={player.setSpeed}
      />
      <LiveLink isOnPhone />
    </div>
  );
};
