/// Errors of meaningless key paths, which all stores report alike.
extension StoreError {
    package static func operatorNeedsToMany(_ name: String, in path: [String]) -> StoreError {
        malformed(path, "\(name) needs a to-many relationship before it")
    }

    package static func objectsHaveNo(_ name: String, in path: [String]) -> StoreError {
        malformed(path, "objects have no \(name)")
    }

    private static func malformed(_ path: [String], _ reason: String) -> StoreError {
        StoreError(.unsupported, "keypath \(path.joined(separator: ".")): \(reason)")
    }
}
