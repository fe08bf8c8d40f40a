import {
  type Context,
  compareQuantities,
  type Defaulter,
  type Manager,
  newWebhookManagedBy,
  type Validator,
} from "@kubewright/runtime";
import { VirtulMachine } from "#api/v1/index.ts";

/** Registers the webhooks of VirtulMachine with the manager. */
export async function setupVirtulMachineWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, VirtulMachine)
    .withDefaulter(new VirtulMachineDefaulter())
    .withValidator(new VirtulMachineValidator())
    .complete();
}

// +kubebuilder:webhook:path=/mutate-infra-sealyun-com-v1-virtulmachine,mutating=true,failurePolicy=fail,sideEffects=None,groups=infra.sealyun.com,resources=virtulmachines,verbs=create;update,versions=v1,name=mvirtulmachine-v1.kb.io,admissionReviewVersions=v1

/** VirtulMachineDefaulter sets a default size. */
export class VirtulMachineDefaulter implements Defaulter<VirtulMachine> {
  async default(_ctx: Context, { spec }: VirtulMachine): Promise<void> {
    spec.cpu ??= "1";
    spec.memory ??= "2G";
  }
}

// +kubebuilder:webhook:path=/validate-infra-sealyun-com-v1-virtulmachine,mutating=false,failurePolicy=fail,sideEffects=None,groups=infra.sealyun.com,resources=virtulmachines,verbs=create;update,versions=v1,name=vvirtulmachine-v1.kb.io,admissionReviewVersions=v1

/** VirtulMachineValidator rejects invalid sizes, and machines that depend on themselves. */
export class VirtulMachineValidator implements Validator<VirtulMachine> {
  async validateCreate(_ctx: Context, { metadata, spec }: VirtulMachine): Promise<string[]> {
    if (!/^[1-9][0-9]*$/.test(spec.cpu)) {
      throw new Error(`spec.cpu: ${JSON.stringify(spec.cpu)} must be a number of processors, such as "1"`);
    }
    if (!isSize(spec.memory)) {
      throw new Error(`spec.memory: ${JSON.stringify(spec.memory)} must be an amount of memory, such as "2G"`);
    }
    if (spec.dependsOn === metadata?.name) throw new Error("spec.dependsOn: a machine can't depend on itself");
    return Number(spec.cpu) > 64 ? [`spec.cpu: few hypervisors have ${spec.cpu} processors`] : [];
  }

  async validateUpdate(ctx: Context, before: VirtulMachine, vm: VirtulMachine): Promise<string[]> {
    const warnings = await this.validateCreate(ctx, vm);
    if (isSize(before.spec.memory) && compareQuantities(vm.spec.memory, before.spec.memory) < 0) {
      throw new Error(`spec.memory: memory can't shrink below ${before.spec.memory}`);
    }
    return warnings;
  }

  async validateDelete(): Promise<string[]> {
    return [];
  }
}

function isSize(text: string): boolean {
  try {
    return compareQuantities(text, 0) > 0;
  } catch {
    return false;
  }
}
