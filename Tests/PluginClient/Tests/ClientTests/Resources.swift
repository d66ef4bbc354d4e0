import Classic

/// Foundation comes with the module, as in Xcode's projects.
func modelOfEmployees() -> URL? {
    Bundle(for: Employee.self).url(forResource: "Classic", withExtension: "momd")
}
