package main

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	benchv1 "kubewright.dev/bench/security/api/v1"
)

// OrderReconciler writes the ConfigMap of each Order.
type OrderReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile restores the ConfigMap and records the generation.
func (r *OrderReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var order benchv1.Order
	if err := r.Get(ctx, req.NamespacedName, &order); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: order.Name, Namespace: order.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = map[string]string{"item": order.Spec.Item}
		return controllerutil.SetControllerReference(&order, configMap, r.Scheme)
	}); err != nil {
		return ctrl.Result{}, err
	}
	if order.Status.ObservedGeneration == order.Generation {
		return ctrl.Result{}, nil
	}
	before := order.DeepCopy()
	order.Status.ObservedGeneration = order.Generation
	return ctrl.Result{}, r.Status().Patch(ctx, &order, client.MergeFrom(before))
}

// SetupWithManager watches Orders, their ConfigMaps, and ConfigMaps that name an Order in an annotation. The predicate and
// the map function have a common mistake: they fail for some objects that the API server accepts.
func (r *OrderReconciler) SetupWithManager(mgr ctrl.Manager) error {
	hasOwner := predicate.NewPredicateFuncs(func(object client.Object) bool {
		return object.(*benchv1.Order).Spec.Owner.Name != ""
	})
	return ctrl.NewControllerManagedBy(mgr).
		For(&benchv1.Order{}, builder.WithPredicates(hasOwner)).
		Owns(&corev1.ConfigMap{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(orderOf)).
		Named("order").
		Complete(r)
}

func orderOf(_ context.Context, object client.Object) []reconcile.Request {
	reference, found := object.GetAnnotations()["bench.kubewright.dev/order"]
	if !found {
		return nil
	}
	parts := strings.Split(reference, "/")
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: parts[0], Name: strings.TrimSpace(parts[1])}}}
}
