export { addPlantFileCommands } from "./commands.ts";
