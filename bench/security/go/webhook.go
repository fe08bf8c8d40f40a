package main

import (
	"context"
	"errors"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	benchv1 "kubewright.dev/bench/security/api/v1"
)

func setupOrderWebhookWithManager(mgr ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(mgr, &benchv1.Order{}).
		WithDefaulter(&orderDefaulter{}).
		WithValidator(&orderValidator{}).
		Complete()
}

type orderDefaulter struct{}

// Default sets the count.
func (*orderDefaulter) Default(_ context.Context, order *benchv1.Order) error {
	if order.Spec.Count == 0 {
		order.Spec.Count = 1
	}
	return nil
}

type orderValidator struct{}

// ValidateCreate requires an item.
func (*orderValidator) ValidateCreate(_ context.Context, order *benchv1.Order) (admission.Warnings, error) {
	return nil, validate(order)
}

// ValidateUpdate requires an item.
func (*orderValidator) ValidateUpdate(_ context.Context, _, order *benchv1.Order) (admission.Warnings, error) {
	return nil, validate(order)
}

// ValidateDelete allows everything.
func (*orderValidator) ValidateDelete(context.Context, *benchv1.Order) (admission.Warnings, error) {
	return nil, nil
}

func validate(order *benchv1.Order) error {
	if order.Spec.Item == "" {
		return errors.New("spec.item: must not be empty")
	}
	return nil
}
