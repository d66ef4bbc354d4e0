import Foundation

// On Apple's systems, key-value observation notifies an operation queue of these, since they depend on
// "state".
extension Operation {
    func willChangeValue(forKey key: String) {
        willChangeValue(for: \.isReady)
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
    }

    func didChangeValue(forKey key: String) {
        didChangeValue(for: \.isReady)
        didChangeValue(for: \.isExecuting)
        didChangeValue(for: \.isFinished)
    }
}
