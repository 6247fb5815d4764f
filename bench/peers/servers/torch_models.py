"""MobileNetV2 and ResNet50 as their papers describe them, with random weights.

Sandler et al., 2018 (table 2) and He et al., 2015 (table 1; with the stride in the 3x3 convolution,
as everybody builds it today). Cost, not accuracy, is what they are here for.
"""

import torch
from torch import Tensor, nn

__all__ = ["MODELS", "build"]

CLASSES = 1_000


def convolution(
    inputs: int,
    outputs: int,
    kernel: int,
    *,
    activation: nn.Module,
    stride: int = 1,
    groups: int = 1,
) -> nn.Sequential:
    """Convolution, batch norm, activation."""
    padding = kernel // 2
    conv = nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), activation)


class InvertedResidual(nn.Module):
    """Expand, filter each channel, project; add the input where shapes allow."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        super().__init__()
        hidden = inputs * expansion
        layers = [] if expansion == 1 else [convolution(inputs, hidden, 1, activation=nn.ReLU6())]
        layers += [
            convolution(hidden, hidden, 3, activation=nn.ReLU6(), stride=stride, groups=hidden),
            convolution(hidden, outputs, 1, activation=nn.Identity()),
        ]
        self.layers = nn.Sequential(*layers)
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x) if self.adds else self.layers(x)


class Bottleneck(nn.Module):
    """1x1, 3x3, 1x1, and the input beside them."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        outputs = 4 * width
        self.layers = nn.Sequential(
            convolution(inputs, width, 1, activation=nn.ReLU()),
            convolution(width, width, 3, activation=nn.ReLU(), stride=stride),
            convolution(width, outputs, 1, activation=nn.Identity()),
        )
        same = stride == 1 and inputs == outputs
        self.shortcut = (
            nn.Identity()
            if same
            else convolution(inputs, outputs, 1, activation=nn.Identity(), stride=stride)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.layers(x) + self.shortcut(x))


def mobilenetv2() -> nn.Module:
    """3.5 million parameters."""
    layers = [convolution(3, 32, 3, activation=nn.ReLU6(), stride=2)]
    inputs = 32
    rows = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2)]
    rows += [(6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
    for expansion, outputs, repeats, stride in rows:
        for number in range(repeats):
            first = stride if number == 0 else 1
            layers.append(InvertedResidual(inputs, outputs, first, expansion))
            inputs = outputs
    layers.append(convolution(inputs, 1_280, 1, activation=nn.ReLU6()))
    return with_head(layers, 1_280)


def resnet50() -> nn.Module:
    """25.6 million parameters."""
    layers = [convolution(3, 64, 7, activation=nn.ReLU(), stride=2), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for width, repeats, stride in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
        for number in range(repeats):
            layers.append(Bottleneck(inputs, width, stride if number == 0 else 1))
            inputs = 4 * width
    return with_head(layers, inputs)


def with_head(layers: list[nn.Module], channels: int) -> nn.Module:
    """Mean over the picture, then 1,000 classes."""
    head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, CLASSES))
    return nn.Sequential(*layers, head)


MODELS = {"mobilenetv2": mobilenetv2, "resnet50": resnet50}


def build(name: str) -> nn.Module:
    """The model, ready to infer, with the same weights each time."""
    torch.manual_seed(0)
    model = MODELS[name]()
    calibrate(model)
    return model.eval()


def calibrate(model: nn.Module) -> None:
    """Give the batch norms the statistics of noise: activations of random weights fade else, and
    every photo would get the same answer.
    """
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None  # one pass sets them
    model.train()
    with torch.no_grad():
        model(torch.randn(4, 3, 224, 224))
