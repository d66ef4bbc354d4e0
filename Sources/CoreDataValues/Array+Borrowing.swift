// A loop over an array counts a reference to each object and takes it back, which for many objects takes longer than
// looking at them: these leave it to the array to keep them alive.
extension Array where Element: AnyObject {
    @inlinable @inline(__always)
    package func forEachBorrowed(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { objects in
            // An unmanaged reference lies in memory as the reference does.
            let references = UnsafeRawPointer(objects.baseAddress)?
                .assumingMemoryBound(to: Unmanaged<Element>.self)
            guard let references else { return }
            for index in 0..<objects.count { try references[index]._withUnsafeGuaranteedRef(body) }
        }
    }

    @inlinable @inline(__always)
    package func mapBorrowed<Result>(_ transform: (Element) -> Result) -> [Result] {
        // The count of an empty array would be written into the one that all threads share.
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
    /// Uses the object without counting a reference to it, for who sees to it that it lives.
    @inlinable @inline(__always)
    package func withBorrowed<Result, Failure>(
        _ body: (Instance) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // What hands out the reference rethrows errors of any type only.
        let outcome = _withUnsafeGuaranteedRef { object -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body(object)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}
