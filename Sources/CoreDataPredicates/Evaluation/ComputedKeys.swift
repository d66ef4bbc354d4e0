/// An object whose key paths lead through computed properties, too.
package protocol ComputedKeys {
    /// Nil for keys that are none of these.
    func computedValue(forKey key: String) -> Any?
}
