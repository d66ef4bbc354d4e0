/// Something to compile, in a target whose settings are those of former releases.
struct Former {}
