export { compileMessages, type MessagesPlan } from './prompt-messages.js';
export type { TextTemplate } from './slots.js';
export { compileText, type TemplatePlan, TemplateRunner } from './template-runner.js';
