export { type TemplatePlan, TemplateRunner } from './template-runner.js';
