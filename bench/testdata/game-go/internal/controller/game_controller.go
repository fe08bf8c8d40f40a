package controller

// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=myapp.qingwave.github.io,resources=games/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=apps,resources=deployments/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=core,resources=services,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=networking.k8s.io,resources=ingresses,verbs=get;list;watch;create;update;patch;delete

func Reconcile() {}
