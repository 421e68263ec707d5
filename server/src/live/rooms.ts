import type { Member } from "./member.ts";
import { createRoom, type Room } from "./room.ts";

/** The rooms of all plants in which somebody listens. */
export interface Rooms {
  /** The room of a plant; undefined when nobody listens there. */
  of(plantId: number): Room | undefined;
  join(member: Member): void;
  leave(member: Member): void;
  everybody(): Member[];
}

export const createRooms = (onFault: (fault: unknown) => void): Rooms => {
  const rooms = new Map<number, Room>();
  return {
    of: (plantId) => rooms.get(plantId),
    join: (member) => {
      const { plantId } = member.caller;
      const room = rooms.get(plantId) ?? createRoom(onFault);
      rooms.set(plantId, room);
      room.members.add(member);
    },
    leave: (member) => {
      const { plantId } = member.caller;
      const room = rooms.get(plantId);
      room?.members.delete(member);
      if (room?.members.size === 0) rooms.delete(plantId);
    },
    everybody: () => [...rooms.values()].flatMap((room) => [...room.members]),
  };
};
