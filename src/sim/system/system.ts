export { createWorkspace as createSystem, type SystemOptions, type Workspace as System } from "./workspace.ts";
