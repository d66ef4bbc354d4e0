// A loop over an array retains and releases each object, which for many objects takes longer than looking at
// them. These loops do not: the array keeps its objects alive.
extension Array where Element: AnyObject {
    @inlinable @inline(__always)
    package func forEachBorrowed(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { objects in
            // An unmanaged reference has the memory layout of the reference.
            let references = UnsafeRawPointer(objects.baseAddress)?
                .assumingMemoryBound(to: Unmanaged<Element>.self)
            guard let references else { return }
            for index in 0..<objects.count { try references[index]._withUnsafeGuaranteedRef(body) }
        }
    }

    @inlinable @inline(__always)
    package func mapBorrowed<Result>(_ transform: (Element) -> Result) -> [Result] {
        // Writing the count of an empty array would write to the storage that all empty arrays of all threads
        // share.
        if isEmpty { return [] }
        return Array<Result>(unsafeUninitializedCapacity: count) { results, initializedCount in
            forEachBorrowed {
                results.initializeElement(at: initializedCount, to: transform($0))
                initializedCount += 1
            }
        }
    }

    @inlinable @inline(__always)
    package func allSatisfyBorrowed(_ predicate: (Element) -> Bool) -> Bool {
        withUnsafeBufferPointer { objects in
            let references = UnsafeRawPointer(objects.baseAddress)?
                .assumingMemoryBound(to: Unmanaged<Element>.self)
            guard let references else { return true }
            for index in 0..<objects.count where !references[index]._withUnsafeGuaranteedRef(predicate) {
                return false
            }
            return true
        }
    }
}

extension Unmanaged {
    /// Calls the closure with the object without retaining it; the caller must keep the object alive.
    @inlinable @inline(__always)
    package func withBorrowed<Result, Failure>(
        _ body: (Instance) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `_withUnsafeGuaranteedRef` rethrows untyped errors only.
        let outcome = _withUnsafeGuaranteedRef { object -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body(object)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}
